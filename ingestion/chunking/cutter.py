"""The cutter: documents and long rows as chunks that fit into the model's window with what is embedded beside them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ingestion.chunking.blind import FixedChunker, SentenceChunker
from ingestion.chunking.model import Chunk, Chunker
from ingestion.chunking.options import ChunkerName, ChunkOptions
from ingestion.chunking.recursive import RecursiveChunker
from ingestion.chunking.semantic import SemanticChunker
from ingestion.compose import document_keywords
from ingestion.embedding_cache import TextEncoder
from ingestion.embedding_text import EmbeddingWindow
from ingestion.evidence import Evidence
from ingestion.identifiers import evidence_id
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document
from ingestion.scope import is_searched

SPECIAL_TOKENS = 2
"""Tokens that the model itself puts around a text."""


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
        """A row, in numbered chunks where it is found by search and longer than the window.

        A product's own rows stay whole: they are read by their product, and a review is one voice however long.
        """
        texts = self._texts(evidence) if is_searched(evidence) else [evidence.text]
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
        budget = self.window.text_budget(evidence.title, (), evidence.keywords)
        if self.window.count_tokens(evidence.text) <= budget:
            return [evidence.text]
        return [chunk.text for chunk in self.rows.chunk([Block("list", evidence.text)], lambda _section: budget)]


def _chunker(name: ChunkerName, encoder: TextEncoder) -> Chunker:
    if name == "semantic":
        return SemanticChunker(encoder.count_tokens, encoder.encode)
    kinds: dict[str, type[RecursiveChunker | FixedChunker | SentenceChunker]] = {
        "recursive": RecursiveChunker,
        "fixed": FixedChunker,
        "sentence": SentenceChunker,
    }
    return kinds[name](encoder.count_tokens)
