"""Semantic chunking: a document is cut where its subject changes most."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ingestion.chunk import OVERLAP_TOKENS, Budget, Chunk, CountTokens
from ingestion.chunking.blind import RunningText
from ingestion.chunking.packing import pack
from ingestion.chunking.pieces import SENTENCES, pieces
from ingestion.readers.blocks import Block

SPLIT_PERCENTILE = 10.0
"""Neighbouring sentences are parted where they are less alike than this percentage of a document's neighbours."""

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Embeds texts as unit vectors."""


@dataclass(frozen=True, slots=True)
class SemanticChunker:
    """Cuts between the sentences whose embeddings are least alike, and where a chunk would be too long."""

    count_tokens: CountTokens
    encode: Encode
    overlap: int = OVERLAP_TOKENS

    def chunk(self, blocks: Sequence[Block], budget: Budget) -> list[Chunk]:
        """Cut a document into chunks within the budget."""
        running, limit = RunningText.of(blocks), budget(())
        units = list(pieces(running.text, SENTENCES, limit, self.count_tokens))
        bounds = [0, *self._changes([running.text[unit.start : unit.end] for unit in units]), len(units)]
        return [
            running.chunk(text, unit)
            for first, last in pairwise(bounds)
            for text, unit in pack(running.text, units[first:last], limit, self.overlap)
        ]

    def _changes(self, sentences: Sequence[str]) -> list[int]:
        """Numbers of the sentences with which a new subject begins."""
        if len(sentences) <= 1:
            return []
        vectors = self.encode(sentences)
        alike = np.einsum("ij,ij->i", vectors[1:], vectors[:-1])
        return [int(number) + 1 for number in np.flatnonzero(alike < np.percentile(alike, SPLIT_PERCENTILE))]
