"""Tables of a PDF: drawn ones, and those that only stand in columns."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ingestion.readers.pdf_page import Line, PdfPage, Rule, Upright, Word, segments
from ingestion.readers.wrapping import Hyphens

_NEAR = 3.0
"""Points that lines may miss each other by and still meet."""
_MIN_LINES = 3
"""A table of two rows and two columns has three lines each way."""


def drawn_tables(words: Sequence[Word], page: PdfPage, hyphens: Hyphens) -> tuple[list[Line], list[Word]]:
    """Read the drawn tables of a page.

    Returns:
        A line without words of its own for each table, and the words that stand in none.
    """
    loose = list(words)
    tables: list[Line] = []
    for grid in _grids(page):
        held = [word for word in loose if grid.holds(word)]
        lines = grid.lines(held, hyphens)
        if lines is None:
            continue
        inside = {id(word) for word in held}
        loose = [word for word in loose if id(word) not in inside]
        first = min(held, key=lambda word: word.base)
        place = Word("", grid.columns[0], grid.columns[-1], first.base, first.size)
        tables.append(Line((place,), tuple(lines)))
    return tables, loose


@dataclass(slots=True)
class _Grid:
    """Lines that meet, as the ends of rows and columns."""

    rules: list[Rule] = field(default_factory=list)
    uprights: list[Upright] = field(default_factory=list)
    rows: list[float] = field(default_factory=list)
    columns: list[float] = field(default_factory=list)

    def measure(self) -> bool:
        """Find the ends of rows and columns; whether there are enough for a table."""
        self.rows = _apart(rule.base for rule in self.rules)
        self.columns = _apart(upright.left for upright in self.uprights)
        return len(self.rows) >= _MIN_LINES and len(self.columns) >= _MIN_LINES

    def holds(self, word: Word) -> bool:
        """Whether a word stands in the table."""
        x, y = _middle(word)
        return self.columns[0] < x < self.columns[-1] and self.rows[0] < y < self.rows[-1]

    def lines(self, words: Sequence[Word], hyphens: Hyphens) -> list[str] | None:
        """The rows, cells parted by ` | `; None where the lines part no words."""
        cells = self._cells()
        held: dict[int, list[Word]] = {}
        for word in words:
            x, y = _middle(word)
            held.setdefault(cells[bisect(self.rows, y) - 1][bisect(self.columns, x) - 1], []).append(word)
        texts = {cell: hyphens.join([line.text for line in segments(held[cell])]) for cell in held}
        table = [[texts.get(cell, "") for cell in row] for row in cells]
        used = [number for number in range(len(self.columns) - 1) if any(row[number] for row in table)]
        filled = [(row, own) for row, own in zip(table, cells, strict=True) if any(row)]
        if len(used) < _MIN_LINES - 1 or len(filled) < _MIN_LINES - 1:
            return None
        return [" | ".join(_once([(row[n], own[n]) for n in used])).rstrip(" |") for row, own in filled]

    def _cells(self) -> list[list[int]]:
        """The number of the cell at each row and column; merged ones have the number of the first."""
        cells: list[list[int]] = []
        for row, (top, bottom) in enumerate(zip(self.rows, self.rows[1:], strict=False)):
            numbers: list[int] = []
            for column, (left, right) in enumerate(zip(self.columns, self.columns[1:], strict=False)):
                number = row * len(self.columns) + column
                if column and not self._has_upright(left, (top + bottom) / 2):
                    number = numbers[-1]
                elif row and not self._has_rule(top, (left + right) / 2):
                    number = cells[-1][column]
                numbers.append(number)
            cells.append(numbers)
        return cells

    def _has_upright(self, left: float, y: float) -> bool:
        return any(abs(one.left - left) <= _NEAR and one.top - _NEAR < y < one.bottom + _NEAR for one in self.uprights)

    def _has_rule(self, base: float, x: float) -> bool:
        return any(abs(one.base - base) <= _NEAR and one.left - _NEAR < x < one.right + _NEAR for one in self.rules)


def _once(row: Sequence[tuple[str, int]]) -> Iterator[str]:
    """A row's texts, that of a cell which spans columns in the first of them."""
    before = None
    for text, number in row:
        yield "" if number == before else text
        before = number


def _middle(word: Word) -> tuple[float, float]:
    return (word.left + word.right) / 2, word.base - 0.3 * word.size


def _apart(places: Iterator[float] | Sequence[float]) -> list[float]:
    apart: list[float] = []
    for place in sorted(places):
        if not apart or place - apart[-1] > _NEAR:
            apart.append(place)
    return apart


def _grids(page: PdfPage) -> list[_Grid]:
    """Lines put together with those that they meet."""
    grids: list[_Grid] = []
    for upright in page.uprights:
        met = [grid for grid in grids if any(_meet(rule, upright) for rule in grid.rules)]
        own = _Grid([rule for rule in page.rules if _meet(rule, upright)], [upright])
        for grid in met:
            own.rules += [rule for rule in grid.rules if rule not in own.rules]
            own.uprights += grid.uprights
        grids = [grid for grid in grids if grid not in met] + [own]
    return [grid for grid in grids if grid.measure()]


def _meet(rule: Rule, upright: Upright) -> bool:
    return (
        rule.left - _NEAR <= upright.left <= rule.right + _NEAR
        and upright.top - _NEAR <= rule.base <= upright.bottom + _NEAR
    )


Row = list[Line]
_MARKER = re.compile(r"[-*•·▪◦‣–●○■]|\(?\w{1,3}[.)]")
_LEADERS = re.compile(r"(?:\.\s?){4,}")
_RULED = 0.4
"""Rules part the rows where they make so many of them per line of text."""
_JUSTIFIED = 2.0
"""Spaces of a justified line are less than so many font sizes wide."""
_PROSE_WORDS = 4
_FULL = 0.5
_ALIGNED = 0.3
"""Cells of a column begin, end or have their middle within so many font sizes of each other."""
_FAR = 3.0
"""Rows of a table are less than so many font sizes apart."""
_TIGHT = 1.2
"""The lines of one cell stand so much closer, at least, than rows do."""


def is_contents(row: Row) -> bool:
    """Whether a row is a line of a table of contents, with leaders to a page number."""
    return _LEADERS.search(" ".join(segment.text for segment in row)) is not None and row[-1].text[-1:].isdigit()


def merge_prose(row: Row, left: float, right: float) -> Row:
    """Put together what only wide spaces part: a list item's marker and text, the words of a justified line.

    Args:
        row: Segments of one line.
        left: Where the column begins.
        right: Where it ends.
    """
    if len(row) > 1 and _MARKER.fullmatch(row[0].text):
        row = [Line((*row[0].words, *row[1].words)), *row[2:]]
    words = [word for segment in row for word in segment.words]
    widest = max((word.left - before.right for before, word in pairwise(words)), default=0.0) / words[0].size
    full = words[0].left < left + 2 * words[0].size and words[-1].right > right - _FULL * words[0].size
    prose = full and len(words) >= _PROSE_WORDS and widest < _JUSTIFIED
    return [Line(tuple(words))] if len(row) > 1 and prose else row


def table_end(rows: Sequence[Row], start: int) -> int:
    """Where the table that begins at a row ends; the same row where there is none."""
    if rows[start][0].table:
        return start + 1
    if len(rows[start]) < 2:  # noqa: PLR2004 - a table has columns
        return start
    end = start + 1
    cells = 1
    while end < len(rows) and _goes_on(rows[start:end], rows[end]):
        cells += len(rows[end]) > 1
        end += 1
    while end > start and len(rows[end - 1]) < 2 and not _is_wrapped(rows[start:end], rows[end - 1]):  # noqa: PLR2004
        end -= 1
    # The bold head of a table whose rows are too crooked to be told stays a row, lest it be taken for a heading.
    return end if cells > 1 else start + all(segment.bold for segment in rows[start])


def _goes_on(table: Sequence[Row], row: Row) -> bool:
    gap = row[0].base - table[-1][0].base
    if gap > _FAR * row[0].size or any(segment.table for segment in row):
        return False
    return _is_aligned(table, row) if len(row) > 1 else _is_wrapped(table, row)


def _is_aligned(table: Sequence[Row], row: Row) -> bool:
    """Whether a cell after the first begins, ends or is centred where one of the table does."""
    cells = [(cell.left, cell.right) for full in table for cell in full[1:]]
    return any(
        min(abs(own.left - left), abs(own.right - right), abs(own.left + own.right - left - right) / 2)
        < _ALIGNED * own.size
        for own in row[1:]
        for left, right in cells
    )


def _is_wrapped(table: Sequence[Row], row: Row) -> bool:
    """Whether a row of one segment is what a cell of the row above has too much of."""
    segment = row[0]
    inner = [cell.left for full in table for cell in full[1:]]
    if any(abs(segment.left - left) < _ALIGNED * segment.size for left in inner):
        return True
    # The cells of a row may stand in its middle, each on a line of its own.
    return segment.right < min(inner) and segment.base - table[-1][0].base < segment.size


def table_lines(table: Sequence[Row], rules: Sequence[Rule], hyphens: Hyphens) -> list[str]:
    """The rows of a table, cells parted by ` | `."""
    starts = _columns(table)
    grouped: list[list[list[str]]] = []
    for row, begins in zip(table, _row_begins(table, rules, starts), strict=True):
        if begins:
            grouped.append([[] for _ in starts])
        for segment in row:
            grouped[-1][_column(segment, starts)].append(segment.text)
    return [" | ".join(hyphens.join(cell) for cell in cells).rstrip(" |") for cells in grouped]


def _columns(table: Sequence[Row]) -> list[tuple[float, float]]:
    """Left and right ends of the columns, as the rows have them that have most rows' number of cells."""
    usual = max(Counter(len(row) for row in table if len(row) > 1).items(), key=lambda item: (item[1], item[0]))[0]
    spans = sorted((cell.left, cell.right) for row in table if len(row) == usual for cell in row)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(right, columns[-1][1]))
        else:
            columns.append((left, right))
    return columns


def _column(segment: Line, columns: Sequence[tuple[float, float]]) -> int:
    """The column that a segment overlaps most, or stands nearest to."""
    overlaps = [min(segment.right, right) - max(segment.left, left) for left, right in columns]
    best = max(overlaps)
    spanned = [number for number, overlap in enumerate(overlaps) if overlap > 0]
    return spanned[0] if len(spanned) > 1 else overlaps.index(best)


def _row_begins(table: Sequence[Row], rules: Sequence[Rule], columns: Sequence[tuple[float, float]]) -> list[bool]:
    """Whether a line begins a row, rather than going on with the cells of the line above."""
    left, right = columns[0][0], columns[-1][1]
    bases = {round(rule.base) for rule in rules if min(rule.right, right) - max(rule.left, left) > (right - left) / 2}
    ruled = [
        any(above[0].base - 0.2 * above[0].size < base < row[0].base for base in bases)
        for above, row in pairwise(table)
    ]
    if sum(ruled) > 1 and sum(ruled) + 1 >= _RULED * len(table):
        return [True, *ruled]
    gaps = [row[0].base - above[0].base for above, row in pairwise(table)]
    tight = min(gaps, default=0.0) * _TIGHT
    spaced = sum(gap > tight for gap in gaps) > len(gaps) / 3
    begins = [True]
    for row, gap in zip(table[1:], gaps, strict=True):
        heads = _column(row[0], columns) == 0
        begins.append(gap > tight if spaced and gap <= tight else heads)
    return begins
