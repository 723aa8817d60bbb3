"""What chunking is made of: chunks, and the shape that every chunker has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ingestion.readers.blocks import Block

CountTokens = Callable[[str], int]
"""Tokens of a text, as the embedding model counts them; white space counts for nothing, and words add up."""

Budget = Callable[[tuple[str, ...]], int]
"""Most tokens of a chunk's text under a section path."""

OVERLAP_TOKENS = 50
"""Most tokens that a chunk repeats of the one before it."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document: its text, the headings above it, and its page."""

    text: str
    section: tuple[str, ...] = ()
    page: int | None = None


class Chunker(Protocol):
    """A way to cut a document."""

    def chunk(self, blocks: Sequence[Block], budget: Budget) -> list[Chunk]:
        """Cut a document into chunks within the budget.

        Args:
            blocks: Its content in order.
            budget: Most tokens of a chunk's text under a section path.
        """
        ...
