"""Packing: pieces of a text are put together to chunks that break where its structure does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

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
class Unit:
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


def pack(text: str, units: Sequence[Unit], limit: int, overlap: int) -> list[tuple[str, Unit]]:
    """Put the units of a text together to chunks.

    A chunk holds as many as fit, but for what would fit whole into the next one. It begins with the last whole units
    of the chunk before, up to the overlap, where those leave room for what comes.

    Args:
        text: What the units are pieces of.
        units: At least one, none longer than the limit.
        limit: Most tokens of a chunk.
        overlap: Most tokens that a chunk repeats of the one before it.

    Returns:
        The chunks' texts, each with the first unit that is new in it.
    """
    packed = []
    for first, new, last in _Packing(units, limit, overlap).cuts():
        body = text[units[first].start : units[last - 1].end]
        head = units[first].head
        packed.append((f"{text[slice(*head[0])]}\n{body}" if head else body, units[new]))
    return packed


class _Packing:
    def __init__(self, units: Sequence[Unit], limit: int, overlap: int) -> None:
        self._units, self._limit, self._overlap = units, limit, overlap
        self._sums = [0, *accumulate(unit.tokens for unit in units)]

    def cuts(self) -> Iterator[tuple[int, int, int]]:
        """For each chunk the numbers of its first unit, of the first new one, and of the one after its last."""
        first = new = 0
        while new < len(self._units):
            end = self._filled(first)
            last = end if end == len(self._units) else self._break(new, end)
            yield first, new, last
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
