"""Tables of a PDF: drawn ones, and those that only stand in columns."""

import re
from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ingestion.readers.blocks import Hyphens
from ingestion.readers.pdf_file import Box, PdfPage, Rule, Word
from ingestion.readers.pdf_page import Line, segments

_MIN_CELLS = 2
"""A table has so many rows and columns at least."""


def drawn_tables(words: Sequence[Word], page: PdfPage, hyphens: Hyphens) -> tuple[list[Line], list[Word]]:
    """Read the drawn tables of a page.

    Returns:
        A line without words of its own for each table, and the words that stand in none.
    """
    loose = list(words)
    tables: list[Line] = []
    for grid in map(_Grid, page.tables):
        cells: dict[int, list[Word]] = {}
        outside: list[Word] = []
        for word in loose:
            number = grid.cell_of(word)
            (outside if number is None else cells.setdefault(number, [])).append(word)
        texts = {number: hyphens.join([line.text for line in segments(held)]) for number, held in cells.items()}
        lines = grid.lines(texts)
        if lines is None:
            continue
        loose = outside
        first = min((word for held in cells.values() for word in held), key=lambda word: word.base)
        tables.append(Line((Word("", grid.left, grid.right, first.base, first.size),), tuple(lines)))
    return tables, loose


class _Grid:
    """The rows and columns of a drawn table, and for each place the number of the cell that covers it."""

    def __init__(self, cells: Sequence[Box]) -> None:
        self._rows = sorted({end for _, top, _, bottom in cells for end in (top, bottom)})
        self._columns = sorted({end for left, _, right, _ in cells for end in (left, right)})
        self._cover = {
            (row, column): number
            for number, (left, top, right, bottom) in enumerate(cells)
            for row in range(bisect_left(self._rows, top), bisect_left(self._rows, bottom))
            for column in range(bisect_left(self._columns, left), bisect_left(self._columns, right))
        }

    @property
    def left(self) -> float:
        """Where it begins."""
        return self._columns[0]

    @property
    def right(self) -> float:
        """Where it ends."""
        return self._columns[-1]

    def cell_of(self, word: Word) -> int | None:
        """The number of the cell in which a word stands."""
        x, y = (word.left + word.right) / 2, word.base - 0.3 * word.size
        return self._cover.get((bisect(self._rows, y) - 1, bisect(self._columns, x) - 1))

    def lines(self, texts: Mapping[int, str]) -> list[str] | None:
        """The rows, cells parted by ` | `; None where the lines part no words.

        Args:
            texts: Of cells by their numbers.
        """
        cells = [
            [self._cover.get((row, column)) for column in range(len(self._columns))] for row in range(len(self._rows))
        ]
        filled = [row for row in cells if any(number in texts for number in row)]
        used = [column for column in range(len(self._columns)) if any(row[column] in texts for row in filled)]
        if min(len(filled), len(used)) < _MIN_CELLS:
            return None
        return [" | ".join(_once([row[column] for column in used], texts)).rstrip(" |") for row in filled]


def _once(numbers: Sequence[int | None], texts: Mapping[int, str]) -> Iterator[str]:
    """A row's texts, that of a cell which spans columns in the first of them."""
    for before, number in pairwise([None, *numbers]):
        yield "" if number is None or number == before else texts.get(number, "")


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
