"""Chunking that does not look at structure: windows of words, or of whole sentences."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.chunk import OVERLAP_TOKENS, Budget, Chunk, CountTokens
from ingestion.chunking.packing import Unit, pack
from ingestion.chunking.pieces import SENTENCES, WORDS, pieces
from ingestion.readers.blocks import Block

Place = tuple[tuple[str, ...], int | None]
"""Section path and page."""


@dataclass(frozen=True, slots=True)
class RunningText:
    """A document as one text, its headings among its lines, and where what stands.

    Attributes:
        text: The text.
        starts: Where a stretch begins.
        places: Where each stretch stands in the document.
    """

    text: str
    starts: tuple[int, ...]
    places: tuple[Place, ...]

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "RunningText":
        """Join blocks; a heading stands on a line of its own where a new section begins."""
        stretches: list[tuple[str, Place]] = []
        above: tuple[str, ...] = ()
        for block in blocks:
            fresh = [
                name for depth, name in enumerate(block.section) if block.section[: depth + 1] != above[: depth + 1]
            ]
            if fresh and block.text.split("\n", 1)[0].strip() == fresh[-1]:
                fresh.pop()  # a heading that the reader found in the text still stands there
            stretches.append(("\n".join([*fresh, block.text]), (block.section, block.page)))
            above = block.section
        starts, offset = [], 0
        for text, _ in stretches:
            starts.append(offset)
            offset += len(text) + 1
        return cls("\n".join(text for text, _ in stretches), tuple(starts), tuple(place for _, place in stretches))

    def chunk(self, text: str, unit: Unit) -> Chunk:
        """A chunk that begins, but for what it repeats, with a unit."""
        section, page = self.places[bisect_right(self.starts, unit.start) - 1]
        return Chunk(text, section, page)


@dataclass(frozen=True, slots=True)
class FixedChunker:
    """Windows of a fixed number of tokens, cut between words."""

    count_tokens: CountTokens
    overlap: int = OVERLAP_TOKENS

    def chunk(self, blocks: Sequence[Block], budget: Budget) -> list[Chunk]:
        """Cut a document into chunks within the budget."""
        running, limit = RunningText.of(blocks), budget(())
        units = [replace(unit, whole=True) for unit in pieces(running.text, WORDS, limit, self.count_tokens)]
        return [running.chunk(text, unit) for text, unit in pack(running.text, units, limit, self.overlap)]


@dataclass(frozen=True, slots=True)
class SentenceChunker:
    """As many whole sentences as fit."""

    count_tokens: CountTokens
    overlap: int = OVERLAP_TOKENS

    def chunk(self, blocks: Sequence[Block], budget: Budget) -> list[Chunk]:
        """Cut a document into chunks within the budget."""
        running, limit = RunningText.of(blocks), budget(())
        units = list(pieces(running.text, SENTENCES, limit, self.count_tokens))
        return [running.chunk(text, unit) for text, unit in pack(running.text, units, limit, self.overlap)]
