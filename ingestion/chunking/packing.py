"""Packing: pieces of text into chunks of a size."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate, pairwise

from ingestion.spans import sentence_spans

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


Span = tuple[int, int]
"""Start and end in code points of a text."""


class Level(IntEnum):
    """What begins where a unit begins; it goes on until the next that begins on its level or above."""

    WORD = 0
    SENTENCE = 1
    ITEM = 2
    """An item of a list with all below it, a row of a table, a line of code."""
    BLOCK = 3
    INTRODUCED = 4
    """A list or table with the line that introduces it; any other block."""
    PAIR = 5
    """A question with all that answers it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text that is not cut further; between two of them stands nothing but white space.

    Attributes:
        start: Where it begins, in code points.
        end: Where it ends.
        tokens: Its length.
        level: What begins with it.
        block: Number of its block.
        whole: Whether it may be repeated: not so a piece of a sentence that had to be cut.
        apart: Whether it may be repeated where another block goes on: not so a row without its table.
        head: What a chunk that begins with it repeats, such as the head of a table, and its tokens.
    """

    start: int
    end: int
    tokens: int
    level: Level = Level.WORD
    block: int = 0
    whole: bool = True
    apart: bool = True
    head: tuple[Span, int] | None = None


def pack(text: str, units: Sequence[Piece], limit: int, overlap: int) -> list[str]:
    """Put the units of a text together to chunks.

    A chunk holds as many as fit, but for what would fit whole into the next one. It begins with the last whole units
    of the chunk before, up to the overlap, where those leave room for what comes.

    Args:
        text: What the units are pieces of.
        units: At least one, none longer than the limit.
        limit: Most tokens of a chunk.
        overlap: Most tokens that a chunk repeats of the one before it.

    Returns:
        The chunks' texts.
    """
    packed = []
    for first, last in _Packing(units, limit, overlap).cuts():
        body = text[units[first].start : units[last - 1].end]
        head = units[first].head
        packed.append(f"{text[slice(*head[0])]}\n{body}" if head else body)
    return packed


class _Packing:
    def __init__(self, units: Sequence[Piece], limit: int, overlap: int) -> None:
        self._units, self._limit, self._overlap = units, limit, overlap
        self._sums = [0, *accumulate(unit.tokens for unit in units)]

    def cuts(self) -> Iterator[tuple[int, int]]:
        """For each chunk the numbers of its first unit and of the one after its last."""
        first = new = 0
        while new < len(self._units):
            end = self._filled(first)
            last = end if end == len(self._units) else self._break(new, end)
            yield first, last
            first, new = (self._repeated(last), last) if last < len(self._units) else (last, last)

    def _tokens(self, first: int, last: int) -> int:
        return self._sums[last] - self._sums[first]

    def _head(self, number: int) -> int:
        head = self._units[number].head
        return head[1] if head else 0

    def _filled(self, first: int) -> int:
        """The first unit that a chunk from a unit on has no room for."""
        last = first + 1
        room = self._limit - self._head(first)
        while last < len(self._units) and self._tokens(first, last + 1) <= room:
            last += 1
        return last

    def _break(self, new: int, end: int) -> int:
        """Where to break at a unit or before it: before the largest thing it belongs to that fits into a chunk."""
        for level in sorted({unit.level for unit in self._units[new : end + 1]}, reverse=True):
            start = self._begin(end, level)
            if start > new and self._tokens(start, self._end(start, level)) <= self._limit:
                return start
        return end

    def _begin(self, number: int, level: Level) -> int:
        while number and self._units[number].level < level:
            number -= 1
        return number

    def _end(self, number: int, level: Level) -> int:
        number += 1
        while number < len(self._units) and self._units[number].level < level:
            number += 1
        return number

    def _repeated(self, new: int) -> int:
        """The first of the units that a chunk repeats before a new one: none where its beginning then were cut."""
        needed = self._whole(new)
        first = new
        for number in range(new - 1, -1, -1):
            unit = self._units[number]
            repeatable = unit.whole and (unit.apart or unit.block == self._units[new].block)
            repeated = self._tokens(number, new)
            if not repeatable or repeated > self._overlap or repeated + self._head(number) + needed > self._limit:
                break
            first = number
        return first

    def _whole(self, number: int) -> int:
        """Tokens of the largest thing that begins with a unit and fits into a chunk."""
        level = self._units[number].level
        while level > Level.WORD:
            if (tokens := self._tokens(number, self._end(number, level))) <= self._limit:
                return tokens
            level = Level(level - 1)
        return self._units[number].tokens


Splitter = tuple[Level, Callable[[str], Sequence[Span]]]
"""What begins with each part, and where the parts are."""


def rows(text: str) -> list[Span]:
    """The lines of a text that are not blank, with their indents and empty cells."""
    lines = text.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    return [(start, start + len(line)) for start, line in zip(starts, lines, strict=False) if line.strip()]


def items(text: str) -> list[Span]:
    """The items of a list, each with the deeper lines below it."""
    found = rows(text)
    depths = [len(text[start:end]) - len(text[start:end].lstrip()) for start, end in found]
    begins = [number for number, depth in enumerate(depths) if number == 0 or depth <= depths[0]]
    return [(found[first][0], found[last - 1][1]) for first, last in pairwise([*begins, len(found)])]


def words(text: str) -> list[Span]:
    """The stretches between white space."""
    return [match.span() for match in re.finditer(r"\S+", text)]


SENTENCES: tuple[Splitter, ...] = ((Level.SENTENCE, sentence_spans), (Level.WORD, words))
ITEMS: tuple[Splitter, ...] = ((Level.ITEM, items), *SENTENCES)
ROWS: tuple[Splitter, ...] = ((Level.ITEM, rows), *SENTENCES)


def pieces(text: str, splitters: Sequence[Splitter], limit: int, count_tokens: CountTokens) -> Iterator[Piece]:
    """Cut a text into units of at most `limit` tokens, coarse ones where they fit."""
    yield from _pieces(text, (0, len(text)), splitters, limit, count_tokens)


def _pieces(
    text: str, span: Span, splitters: Sequence[Splitter], limit: int, count_tokens: CountTokens
) -> Iterator[Piece]:
    """Cut a span; where no way to cut it is left, it is an endless word and cut in the middle."""
    offset = span[0]
    if not splitters:
        middle = (span[0] + span[1]) // 2
        parts, level, finer = [(0, middle - offset), (middle - offset, span[1] - offset)], Level.WORD, splitters
    else:
        (level, split), *finer = splitters
        parts = list(split(text[slice(*span)]))
    for start, end in parts:
        part = (start + offset, end + offset)
        tokens = count_tokens(text[slice(*part)])
        if tokens <= limit or end - start <= 1:
            yield Piece(*part, tokens, level, whole=bool(splitters) and level > Level.WORD)
            continue
        for number, unit in enumerate(_pieces(text, part, finer, limit, count_tokens)):
            yield unit if number else replace(unit, level=max(level, unit.level))
