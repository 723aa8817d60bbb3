"""Chunkers: by size, by sentence, by structure, by meaning."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from ingestion.chunking.packing import (
    ITEMS,
    OVERLAP_TOKENS,
    ROWS,
    SENTENCES,
    WORDS,
    Budget,
    Chunk,
    CountTokens,
    Level,
    Piece,
    Span,
    pack,
    pieces,
    rows,
)
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

    def chunk(self, text: str, unit: Piece) -> Chunk:
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


_SPLITTERS = {"paragraph": SENTENCES, "list": ITEMS, "table": ROWS, "code": ROWS}
_LABELLED_QUESTION = re.compile(r"(?i)\A(?:q|question)\s{0,3}\d{0,6}\s{0,3}[:.)]")
_HEAD_SHARE = 4
"""A head is repeated where it takes no more than this part of a chunk."""


@dataclass(frozen=True, slots=True)
class RecursiveChunker:
    """Cuts a section, or a page of one, only where it does not fit into one chunk.

    Lists, tables, question and answer, and what a line introduces stay whole where they fit into a chunk. A cut table
    repeats its first row, a cut list the line that introduces it. Nothing is repeated across headings.
    """

    count_tokens: CountTokens
    overlap: int = OVERLAP_TOKENS

    def chunk(self, blocks: Sequence[Block], budget: Budget) -> list[Chunk]:
        """Cut a document into chunks within the budget."""
        chunks: list[Chunk] = []
        for (section, page), group in groupby(blocks, key=lambda block: (block.section, block.page)):
            own, limit = list(group), budget(section)
            text = "\n".join(block.text for block in own)
            units = list(_units(own, text, limit, self.count_tokens))
            chunks += [Chunk(body, section, page) for body, _ in pack(text, units, limit, self.overlap)]
        return chunks


def _units(blocks: Sequence[Block], text: str, limit: int, count_tokens: CountTokens) -> Iterator[Piece]:
    """The units of blocks under one heading, as parts of their joined text."""
    offsets = [0, *accumulate(len(block.text) + 1 for block in blocks)]
    for number, block in enumerate(blocks):
        head = _head(blocks, number, offsets)
        cost = count_tokens(text[slice(*head)]) if head else 0
        for place, unit in enumerate(pieces(block.text, _SPLITTERS[block.kind], limit, count_tokens)):
            repeats = head and place and cost <= limit // _HEAD_SHARE and cost + unit.tokens <= limit
            yield replace(
                unit,
                start=unit.start + offsets[number],
                end=unit.end + offsets[number],
                level=unit.level if place else _level(blocks, number),
                block=number,
                apart=block.kind in {"paragraph", "list"},
                head=(head, cost) if head and repeats else None,
            )


def _head(blocks: Sequence[Block], number: int, offsets: Sequence[int]) -> Span | None:
    """What the later chunks of a cut block repeat: a table's first row, the line that introduces a list."""
    source = {"table": number, "list": number - 1}.get(blocks[number].kind, -1)
    if source < 0 or (source != number and not _introduces(blocks[source])):
        return None
    start, end = rows(blocks[source].text)[0 if source == number else -1]
    return start + offsets[source], end + offsets[source]


def _level(blocks: Sequence[Block], number: int) -> Level:
    """What begins with a block."""
    if number == 0 or _asks(blocks[number]):
        return Level.PAIR
    before = blocks[number - 1]
    return Level.BLOCK if _asks(before) or _introduces(before) else Level.INTRODUCED


def _introduces(block: Block) -> bool:
    return block.kind == "paragraph" and block.text.rstrip().endswith(":")


def _asks(block: Block) -> bool:
    """Whether a block is a question that what comes next answers."""
    one_line = "\n" not in block.text.strip()
    return (
        block.kind == "paragraph"
        and one_line
        and bool(block.text.rstrip().endswith("?") or _LABELLED_QUESTION.match(block.text))
    )


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
