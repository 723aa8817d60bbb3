"""Tables of a PDF whose cells are drawn: by the lines between them, also where cells are merged."""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ingestion.readers.hyphens import Hyphens
from ingestion.readers.pdf_page import Line, PdfPage, Rule, Upright, Word, segments

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
