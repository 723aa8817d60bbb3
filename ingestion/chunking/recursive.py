"""Recursive chunking: along headings, then blocks, then items and sentences, and only at last between words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from ingestion.chunk import OVERLAP_TOKENS, Budget, Chunk, CountTokens
from ingestion.chunking.packing import Level, Span, Unit, pack
from ingestion.chunking.pieces import ITEMS, ROWS, SENTENCES, pieces, rows
from ingestion.readers.blocks import Block

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


def _units(blocks: Sequence[Block], text: str, limit: int, count_tokens: CountTokens) -> Iterator[Unit]:
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
