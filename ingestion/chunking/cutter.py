"""The cutter: documents to chunks, as the settings say."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ingestion.chunk import Chunk, Chunker
from ingestion.chunking.chunkers import FixedChunker, RecursiveChunker, SemanticChunker, SentenceChunker
from ingestion.compose import ANSWER, document_keywords
from ingestion.embedding_cache import TextEncoder
from ingestion.embedding_text import EmbeddingWindow
from ingestion.evidence import Evidence
from ingestion.identifiers import evidence_id
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document

ChunkerName = Literal["recursive", "fixed", "sentence", "semantic"]

LEAST_CHUNK_TOKENS = 64
"""Chunks hold no less than this: a little more than what they may repeat of each other."""


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """How documents are cut and embedded; equal options make equal chunks of equal documents.

    No other chunker or size, nor embedding without metadata, found documents better on the retrieval packs' train rows.

    Attributes:
        chunker: The way to cut.
        chunk_tokens: Most tokens of a chunk's text; None for as many as the model's window has room for.
        metadata: Whether title, section, description and keywords are embedded before the text.
    """

    chunker: ChunkerName = "recursive"
    chunk_tokens: int | None = None
    metadata: bool = True


SPECIAL_TOKENS = 2
"""Tokens that the model itself puts around a text."""
_WHOLE = frozenset({"spec", "variant"})


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts what a shop hands over, and lays it out for the embedding model."""

    chunker: Chunker
    rows: Chunker
    window: EmbeddingWindow
    chunk_tokens: int

    @classmethod
    def of(cls, options: ChunkOptions, encoder: TextEncoder) -> "Cutter":
        """The cutter that options ask for."""
        room = encoder.max_tokens - SPECIAL_TOKENS
        return cls(
            chunker=_chunker(options.chunker, encoder),
            rows=RecursiveChunker(encoder.count_tokens),
            window=EmbeddingWindow(encoder.count_tokens, room, options.metadata),
            chunk_tokens=min(options.chunk_tokens or room, room),
        )

    def document(self, document: Document) -> list[Chunk]:
        """The chunks of a document."""
        keywords = document_keywords(document)

        def budget(section: tuple[str, ...]) -> int:
            return min(self.chunk_tokens, self.window.text_budget(document.title, section, keywords))

        return self.chunker.chunk(document.blocks, budget)

    def row(self, evidence: Evidence) -> Iterator[Evidence]:
        """A row, in numbered chunks where it is longer than the window.

        Specifications and variants, whose lines are entries, stay whole. Each chunk of a Q&A repeats the question.
        """
        texts = [evidence.text] if evidence.source_type in _WHOLE else self._texts(evidence)
        if len(texts) == 1:
            yield evidence
            return
        for number, text in enumerate(texts, start=1):
            identifier = evidence_id(evidence.source_type, evidence.row_id, number)
            yield replace(evidence, evidence_id=identifier, text=text)

    def embedded(self, evidence: Evidence) -> list[str]:
        """The texts whose mean stands for an evidence: one, or several for a row that is longer than the window."""
        return [self.window.embedded(evidence, text) for text in self._texts(evidence)]

    def _texts(self, evidence: Evidence) -> list[str]:
        if _most_tokens(evidence.text) <= self.window.least_budget:
            return [evidence.text]
        budget = self.window.text_budget(evidence.title, (), evidence.keywords)
        if self.window.count_tokens(evidence.text) <= budget:
            return [evidence.text]
        question, mark, answer = evidence.text.partition(ANSWER) if evidence.source_type == "qa" else ("", "", "")
        if not mark:
            return self._cut(evidence.text, budget)
        head = self.window.cut(question, budget // 2) + mark
        return [head + text for text in self._cut(answer, budget - self.window.count_tokens(head))]

    def _cut(self, text: str, budget: int) -> list[str]:
        return [chunk.text for chunk in self.rows.chunk([Block("list", text)], lambda _section: budget)]


def _most_tokens(text: str) -> int:
    """More tokens than this no text has: each stands for a letter, or for a part of one that is written in parts."""
    return len(text) if text.isascii() else 3 * len(text)


def _chunker(name: ChunkerName, encoder: TextEncoder) -> Chunker:
    if name == "semantic":
        return SemanticChunker(encoder.count_tokens, encoder.encode)
    kinds: dict[str, type[RecursiveChunker | FixedChunker | SentenceChunker]] = {
        "recursive": RecursiveChunker,
        "fixed": FixedChunker,
        "sentence": SentenceChunker,
    }
    return kinds[name](encoder.count_tokens)
