"""The reading order of a page: columns one after the other, what spans them in its place."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median

from ingestion.readers.pdf_page import Line, Rule, rows

_BIN = 1.0
_MIN_GUTTER = 6.0
_MIN_LINES = 4
_MIN_CHARS = 18
"""Fewest characters of the lines that a column of prose has; shorter ones are cells."""
_FILLED = 0.55
_MAX_CROSSING = 0.15
"""Share of the lines that may cross a gutter: headings and tables over all columns."""
_TABLE_RULES = 3
_RULED = 0.1

Row = Sequence[Line]


def reading_order(pieces: Sequence[Line], rules: Sequence[Rule]) -> list[list[Line]]:
    """Part a page into regions, in the order they are read in; each is one column, from top to bottom.

    Args:
        pieces: Single words, and the places of drawn tables.
        rules: The horizontal lines of the page; several across a gutter make its sides the columns of a table.
    """
    lines = rows(pieces)
    gutter = _gutter(lines, rules)
    if gutter is None:
        return [[piece for line in lines for piece in line]]
    regions: list[list[Line]] = []
    for spans, band in groupby(lines, key=lambda line: _spans(line, gutter)):
        together = [piece for line in band for piece in line]
        if spans:
            regions.append(together)
            continue
        for side in _sides(together, gutter):
            regions += reading_order(side, rules) if side else []
    return regions


def _sides(pieces: Sequence[Line], gutter: float) -> tuple[list[Line], list[Line]]:
    return [one for one in pieces if one.right <= gutter], [one for one in pieces if one.right > gutter]


def _spans(line: Row, gutter: float) -> bool:
    """Whether a line runs over a gutter: with a word, or with no more than a space there."""
    before = max((one.right for one in line if one.left < gutter), default=gutter - _MIN_GUTTER)
    after = min((one.left for one in line if one.left >= gutter), default=gutter + _MIN_GUTTER)
    return after - before < _MIN_GUTTER


def _gutter(lines: Sequence[Row], rules: Sequence[Rule]) -> float | None:
    """The middle of the widest empty strip that has columns of prose on both sides."""
    if len(lines) < _MIN_LINES:
        return None
    pieces = [piece for line in lines for piece in line]
    start, end = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    crossing = [0] * (int((end - start) / _BIN) + 2)
    for piece in pieces:
        for position in range(int((piece.left - start) / _BIN), int((piece.right - start) / _BIN) + 1):
            crossing[position] += 1
    for first, last in sorted(_strips(crossing, len(lines) * _MAX_CROSSING), key=lambda strip: strip[0] - strip[1]):
        middle = start + (first + last) / 2 * _BIN
        if (last - first) * _BIN >= _MIN_GUTTER and _has_columns(lines, middle, rules):
            return middle
    return None


def _strips(crossing: Sequence[int], most: float) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for position, count in enumerate(crossing):
        if count <= most:
            first = position if first is None else first
        elif first is not None:
            yield first, position
            first = None


def _has_columns(lines: Sequence[Row], gutter: float, rules: Sequence[Rule]) -> bool:
    ruled = {round(rule.base) for rule in rules if rule.left < gutter < rule.right}
    apart = [piece for line in lines if not _spans(line, gutter) for piece in line]
    return len(ruled) < max(_TABLE_RULES, _RULED * len(lines)) and all(map(_is_prose, _sides(apart, gutter)))


def _is_prose(side: Sequence[Line]) -> bool:
    lines = rows(side)
    if len(lines) < _MIN_LINES:
        return False
    width = max(piece.right for piece in side) - min(piece.left for piece in side)
    filled = median(max(piece.right for piece in line) - line[0].left for line in lines)
    return median(sum(len(piece.text) for piece in line) for line in lines) >= _MIN_CHARS and filled >= _FILLED * width
