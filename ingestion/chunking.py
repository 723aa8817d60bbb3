"""Cutting documents into chunks along their structure.

A chunk is a section, or as many of its blocks as fit. Only a block that does not fit by itself is cut: lists and tables
between lines, prose between sentences, a sentence between words; the pieces of a cut block overlap.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ingestion.readers.blocks import Block
from ingestion.spans import sentence_spans

CountTokens = Callable[[str], int]
OVERLAP_TOKENS = 50


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document: its text, the headings above it, and its page."""

    text: str
    section: tuple[str, ...] = ()
    page: int | None = None


def chunk_blocks(
    blocks: Sequence[Block], budget: Callable[[tuple[str, ...]], int], count_tokens: CountTokens
) -> list[Chunk]:
    """Cut a document.

    Args:
        blocks: Its content in order.
        budget: Most tokens of a chunk's text under a section path.
        count_tokens: Tokens of a text, as the embedding model counts them.
    """
    chunks: list[Chunk] = []
    for (section, page), group in groupby(blocks, key=lambda block: (block.section, block.page)):
        limit = budget(section)
        pieces = [piece for block in group for piece in _fitting(block, limit, count_tokens)]
        chunks += [Chunk(text, section, page) for text in _pack(pieces, limit, count_tokens)]
    return chunks


def _pack(pieces: Sequence[str], limit: int, count_tokens: CountTokens) -> Iterator[str]:
    """Put neighbouring pieces together while they fit."""
    packed: list[str] = []
    used = 0
    for piece in pieces:
        size = count_tokens(piece)
        if packed and used + size > limit:
            yield "\n".join(packed)
            packed, used = [], 0
        packed.append(piece)
        used += size
    if packed:
        yield "\n".join(packed)


def _fitting(block: Block, limit: int, count_tokens: CountTokens) -> Iterator[str]:
    """A block whole where it fits, else in overlapping pieces that do."""
    if count_tokens(block.text) <= limit:
        yield block.text
        return
    units = [unit for unit in _units(block) for unit in _short_units(unit, limit, count_tokens)]
    joiner = " " if block.kind == "paragraph" and "\n" not in block.text else "\n"
    head = units[0] if block.kind == "table" and count_tokens(units[0]) <= limit // 4 else None
    window: list[str] = []
    used = 0
    for unit in units:
        size = count_tokens(unit)
        if window and used + size > limit:
            yield joiner.join(window)
            window = [head] if head else _tail(window, min(OVERLAP_TOKENS, limit - size), count_tokens)
            used = sum(map(count_tokens, window))
            if used + size > limit:
                window, used = [], 0
        window.append(unit)
        used += size
    yield joiner.join(window)


def _units(block: Block) -> list[str]:
    """What a block may be cut between: sentences of prose, lines of anything else."""
    if block.kind != "paragraph":
        return block.text.split("\n")
    return [block.text[start:end] for start, end in sentence_spans(block.text)]


def _short_units(unit: str, limit: int, count_tokens: CountTokens) -> Iterator[str]:
    """Cut a unit that is too long for a chunk, between words or, in an endless word, anywhere."""
    if count_tokens(unit) <= limit:
        yield unit
        return
    words = unit.split(" ")
    middle = len(words) // 2
    halves = (
        (" ".join(words[:middle]), " ".join(words[middle:]))
        if middle
        else (unit[: len(unit) // 2], unit[len(unit) // 2 :])
    )
    for half in halves:
        if half:
            yield from _short_units(half, limit, count_tokens)


def _tail(window: Sequence[str], limit: int, count_tokens: CountTokens) -> list[str]:
    """The last units of a window that fit into the overlap."""
    kept: list[str] = []
    used = 0
    for unit in reversed(window):
        used += count_tokens(unit)
        if used > limit:
            break
        kept.insert(0, unit)
    return kept
