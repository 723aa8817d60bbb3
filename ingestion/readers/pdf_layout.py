"""The layout of a PDF: its lines in reading order, without running heads, and tables that stand in columns."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import TypeVar

from ingestion.readers.blocks import Hyphens
from ingestion.readers.pdf_page import Cells, PdfPage, Rule, Word

_SEGMENT_GAP = 1.0
"""A gap of so many font sizes parts a line into columns or cells."""
_SAME_LINE = 0.35
"""Words whose baselines differ by less than so many font sizes stand on one line."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words beside each other on one baseline: a line of a column, a cell of a table's row, or a drawn table."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words, parted by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return max(word.right for word in self.words)

    @property
    def base(self) -> float:
        """Its baseline."""
        return self.words[0].base

    @property
    def size(self) -> float:
        """The font size of most of its characters."""
        sizes: dict[float, int] = {}
        for word in self.words:
            sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
        return max(sizes, key=lambda size: sizes[size])

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(word.bold for word in self.words)

    @property
    def table(self) -> Cells:
        """The cells of a drawn table."""
        return self.words[0].table


Row = list[Line]
"""The segments of one line, parted where it has wide gaps."""
Piece = TypeVar("Piece", Word, Line)


def rows(words: Sequence[Word]) -> list[Row]:
    """Words as lines from top to bottom, each in segments."""
    return [list(_segments(row)) for row in _rows(words)]


def _rows(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """What stands on one baseline together, from left to right."""
    row: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.base, piece.left)):
        if row and piece.base - row[0].base > _SAME_LINE * max(piece.size, row[0].size):
            yield sorted(row, key=lambda piece: piece.left)
            row = []
        row.append(piece)
    if row:
        yield sorted(row, key=lambda piece: piece.left)


def _segments(row: Sequence[Word]) -> Iterator[Line]:
    start = 0
    for position, (before, word) in enumerate(pairwise(row), start=1):
        wide = word.left - before.right > _SEGMENT_GAP * max(before.size, word.size)
        if wide or word.table or before.table:
            yield Line(tuple(row[start:position]))
            start = position
    yield Line(tuple(row[start:]))


_MIN_PAGES = 3
_EDGE_LINES = 3
_NUMBER = re.compile(
    r"\A\W*+(?:(?:page|seite|p\.)\s?)?(?:\d{1,4}|[ivxl]{1,6})\s?(?:(?:of|/|von)\s?\d{1,4})?\W*", re.IGNORECASE
)
_NUMBER_EDGE = 0.1
"""Share of a page's height, above and below, in which a number alone is the page's."""
_EDGE = 0.15
"""Share of it in which heads and feet stand."""


def without_running_lines(pages: Sequence[PdfPage]) -> list[list[Word]]:
    """The words of each page without heads, feet and page numbers.

    The outermost line of a page goes where it returns, but for its numbers, at that height of three pages; a line
    inside of one that goes must return word for word, or be a page number.
    """
    edges = [_edges(page) for page in pages]
    returns = Counter(
        key for sides in edges for key in {_key(row, depth) for side in sides for depth, row in enumerate(side)}
    )
    enough = min(_MIN_PAGES, max(2, len(pages)))
    kept = []
    for page, sides in zip(pages, edges, strict=True):
        gone: set[Word] = set()
        for side in sides:
            for depth, row in enumerate(side):
                if returns[_key(row, depth)] < enough and not _is_page_number(row, page):
                    break
                gone.update(row)
        kept.append([word for word in page.words if word not in gone])
    return kept


def _edges(page: PdfPage) -> tuple[list[list[Word]], list[list[Word]]]:
    """The first lines of a page from the top and the last ones from the bottom."""
    ordered = [row for row in _rows(page.words) if _is_at_edge(row, page, _EDGE)]
    return ordered[:_EDGE_LINES], ordered[: -_EDGE_LINES - 1 : -1]


def _is_at_edge(row: Sequence[Word], page: PdfPage, edge: float) -> bool:
    return not edge < row[0].base / max(page.height, 1) < 1 - edge


def _key(row: Sequence[Word], depth: int) -> tuple[str, int]:
    text = " ".join(word.text for word in row)
    return text if depth else re.sub(r"\d+", "#", text), round(row[0].base / 4)


def _is_page_number(row: Sequence[Word], page: PdfPage) -> bool:
    text = " ".join(word.text for word in row)
    return _is_at_edge(row, page, _NUMBER_EDGE) and _NUMBER.fullmatch(text) is not None


_MIN_GUTTER = 6
"""Points that columns are apart at least."""
_MIN_LINES = 4
_MIN_CHARS = 18
"""Fewest characters of the lines that a column of prose has; shorter ones are cells."""
_FILLED = 0.55
_MAX_CROSSING = 0.15
"""Share of the lines that may cross a gutter: headings and tables over all columns."""
_TABLE_RULES = 3
_RULED = 0.1


def reading_order(words: Sequence[Word], rules: Sequence[Rule]) -> list[list[Word]]:
    """Part a page into regions, in the order they are read in; each is one column, from top to bottom.

    Args:
        words: Words and drawn tables.
        rules: The horizontal lines of the page; several across a gutter make its sides the columns of a table.
    """
    lines = list(_rows(words))
    gutter = _gutter(lines, rules)
    if gutter is None:
        return [[word for line in lines for word in line]]
    regions: list[list[Word]] = []
    for spans, band in groupby(lines, key=lambda line: _spans(line, gutter)):
        together = [word for line in band for word in line]
        if spans:
            regions.append(together)
            continue
        for side in _sides(together, gutter):
            regions += reading_order(side, rules) if side else []
    return regions


def _sides(words: Sequence[Word], gutter: float) -> tuple[list[Word], list[Word]]:
    return [one for one in words if one.right <= gutter], [one for one in words if one.right > gutter]


def _spans(line: Sequence[Word], gutter: float) -> bool:
    """Whether a line runs over a gutter: with a word, or with no more than a space there."""
    before = max((one.right for one in line if one.left < gutter), default=gutter - _MIN_GUTTER)
    after = min((one.left for one in line if one.left >= gutter), default=gutter + _MIN_GUTTER)
    return after - before < _MIN_GUTTER


def _gutter(lines: Sequence[Sequence[Word]], rules: Sequence[Rule]) -> float | None:
    """The middle of the widest empty strip that has columns of prose on both sides."""
    if len(lines) < _MIN_LINES:
        return None
    words = [word for line in lines for word in line]
    start, end = int(min(word.left for word in words)), int(max(word.right for word in words))
    crossing = [0] * (end - start + 2)
    for word in words:
        for position in range(int(word.left) - start, int(word.right) - start + 1):
            crossing[position] += 1
    strips: list[tuple[int, int]] = []
    for empty, points in groupby(enumerate(crossing), key=lambda one: one[1] <= len(lines) * _MAX_CROSSING):
        first, *_, last = [point for point, _ in points] * 2
        if empty and last + 1 - first >= _MIN_GUTTER:
            strips.append((last + 1 - first, start + (first + last + 1) // 2))
    return next((middle for _, middle in sorted(strips, reverse=True) if _has_columns(lines, middle, rules)), None)


def _has_columns(lines: Sequence[Sequence[Word]], gutter: float, rules: Sequence[Rule]) -> bool:
    ruled = {round(rule.base) for rule in rules if rule.left < gutter < rule.right}
    apart = [word for line in lines if not _spans(line, gutter) for word in line]
    return len(ruled) < max(_TABLE_RULES, _RULED * len(lines)) and all(map(_is_prose, _sides(apart, gutter)))


def _is_prose(side: Sequence[Word]) -> bool:
    lines = list(_rows(side))
    if len(lines) < _MIN_LINES:
        return False
    width = max(word.right for word in side) - min(word.left for word in side)
    filled = median(max(word.right for word in line) - line[0].left for line in lines)
    return median(sum(len(word.text) for word in line) for line in lines) >= _MIN_CHARS and filled >= _FILLED * width


_MARKER = re.compile(r"[-*•·▪◦‣–●○■]|\(?\w{1,3}[.)]")
_LEADERS = re.compile(r"(?:\.\s?){4,}")
_JUSTIFIED = 2.0
"""Spaces of a justified line are less than so many font sizes wide."""
_PROSE_WORDS = 4
_FULL = 0.5
_ALIGNED = 0.3
"""Cells of a column begin, end or have their middle within so many font sizes of each other."""
_FAR = 3.0
"""Rows of a table are less than so many font sizes apart."""


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
    """Where the table without lines that begins at a row ends; the same row where there is none."""
    end = start
    cells = 0
    while end < len(rows) and _goes_on(rows[start:end], rows[end]):
        cells += len(rows[end]) > 1
        end += 1
    # The bold head of a table whose rows are too crooked to be told stays a row, lest it be taken for a heading.
    return end if cells > 1 else start + (cells == 1 and all(segment.bold for segment in rows[start]))


def _goes_on(table: Sequence[Row], row: Row) -> bool:
    """Whether a row belongs to the table above it: by cells in its columns, or by the rest of a cell there."""
    if row[0].table or (not table and len(row) == 1):
        return False
    if not table:
        return True
    if row[0].base - table[-1][0].base > _FAR * row[0].size:
        return False
    cells = [(cell.left, cell.right) for full in table for cell in full[1:]]
    if len(row) == 1:
        return any(abs(row[0].left - left) < _ALIGNED * row[0].size for left, _ in cells)
    return any(
        min(abs(own.left - left), abs(own.right - right), abs(own.left + own.right - left - right) / 2)
        < _ALIGNED * own.size
        for own in row[1:]
        for left, right in cells
    )


def table_cells(table: Sequence[Row]) -> Cells:
    """The rows of a table without lines; a line whose first column is empty goes on with the cells above it."""
    usual = max(Counter(len(row) for row in table if len(row) > 1).items(), key=lambda item: (item[1], item[0]))[0]
    columns: list[tuple[float, float]] = []
    for left, right in sorted((cell.left, cell.right) for row in table if len(row) == usual for cell in row):
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(right, columns[-1][1]))
        else:
            columns.append((left, right))
    grouped: list[list[list[str]]] = []
    for row in table:
        if not grouped or _column(row[0], columns) == 0:
            grouped.append([[] for _ in columns])
        for segment in row:
            grouped[-1][_column(segment, columns)].append(segment.text)
    return tuple(tuple("\n".join(cell) for cell in cells) for cells in grouped)


def _column(segment: Line, columns: Sequence[tuple[float, float]]) -> int:
    """The column that a segment overlaps first, or stands nearest to."""
    overlaps = [min(segment.right, right) - max(segment.left, left) for left, right in columns]
    spanned = [number for number, overlap in enumerate(overlaps) if overlap > 0]
    return spanned[0] if spanned else overlaps.index(max(overlaps))


def table_lines(cells: Cells, hyphens: Hyphens) -> list[str]:
    """The rows of a table, cells parted by ` | `."""
    return [" | ".join(hyphens.join(cell.split("\n")) for cell in row).rstrip(" |") for row in cells]
