"""The cutter: documents to chunks, as the settings say, and what is embedded for each within the model's window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ingestion.chunking.chunkers import FixedChunker, RecursiveChunker, SemanticChunker, SentenceChunker
from ingestion.chunking.packing import Chunk, Chunker, CountTokens
from ingestion.embedding_cache import TextEncoder
from ingestion.evidence import ANSWER, Evidence, evidence_id
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document

_MAX_KEYWORD_TOKENS = 40
"""Tokens kept free for keywords; more of them are embedded where the text is short."""


@dataclass(frozen=True, slots=True)
class EmbeddingWindow:
    """The room that the model's window has for a text and its metadata.

    Title and section stand first, then description and keywords, then the text. Half of the window is the text's own;
    what has no room is left out of the metadata, keywords first, never of the text.

    Attributes:
        count_tokens: Tokens of a text, as the model counts them.
        tokens: The window's length without the model's special tokens.
        metadata: Whether there is any beside the text.
    """

    count_tokens: CountTokens
    tokens: int
    metadata: bool = True

    @property
    def least_budget(self) -> int:
        """Tokens of a text that the window holds with any metadata."""
        return self.tokens - self.tokens // 2

    def text_budget(self, title: str, section: Sequence[str], keywords: Sequence[str]) -> int:
        """Most tokens of a text that the window holds with this metadata."""
        if not self.metadata:
            return self.tokens
        place = self.count_tokens(_place(title, " > ".join(section)))
        named = min(self.count_tokens(", ".join(keywords)), _MAX_KEYWORD_TOKENS)
        return max(self.least_budget, self.tokens - place - named)

    def embedded(self, evidence: Evidence, text: str) -> str:
        """What is embedded for a text of an evidence that is within its budget."""
        room = self.tokens - self.count_tokens(text) if self.metadata else 0
        place = self.cut(_place(evidence.title, evidence.section), room)
        keywords = self.cut(", ".join(evidence.keywords), room - self.count_tokens(place))
        return "\n".join(part for part in (place, keywords, text) if part)

    def cut(self, text: str, room: int) -> str:
        """The whole words of a text that there is room for."""
        if self.count_tokens(text) <= room:
            return text
        kept: list[str] = []
        for word in text.split():
            room -= self.count_tokens(word)
            if room < 0:
                break
            kept.append(word)
        return " ".join(kept)


def _place(title: str, section: str | None) -> str:
    return f"{title} > {section}" if section else title


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
        keywords = document.keywords

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
