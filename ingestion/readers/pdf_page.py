"""The layout of a PDF's pages: their lines in reading order, without running heads."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from ingestion.readers.pdf_file import PdfPage, Rule, Word

SEGMENT_GAP = 1.0
"""A gap of so many font sizes parts a line into columns or cells."""
_SAME_LINE = 0.35
"""Words whose baselines differ by less than so many font sizes stand on one line."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words beside each other on one baseline: a line of a column, or a cell of a table's row.

    Attributes:
        words: Its words; where a drawn table stands, one without text.
        table: The rows of the drawn table that stands here.
    """

    words: tuple[Word, ...]
    table: tuple[str, ...] = ()

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


def segments(words: Sequence[Word]) -> list[Line]:
    """Words as lines from top to bottom, a line parted where it has wide gaps."""
    return [segment for row in _rows(words) for segment in _parted(row)]


def rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Segments that stand on one baseline together, from top to bottom and from left to right."""
    owner = {id(word): line for line in lines for word in line.words}
    together: list[list[Line]] = []
    for row in _rows([word for line in lines for word in line.words]):
        seen = {id(owner[id(word)]): owner[id(word)] for word in row}
        together.append(list(seen.values()))
    return together


def _rows(words: Sequence[Word]) -> Iterator[list[Word]]:
    row: list[Word] = []
    for word in sorted(words, key=lambda word: (word.base, word.left)):
        if row and word.base - row[0].base > _SAME_LINE * max(word.size, row[0].size):
            yield sorted(row, key=lambda word: word.left)
            row = []
        row.append(word)
    if row:
        yield sorted(row, key=lambda word: word.left)


def _parted(row: Sequence[Word]) -> Iterator[Line]:
    start = 0
    for position, (before, word) in enumerate(pairwise(row), start=1):
        if word.left - before.right > SEGMENT_GAP * max(before.size, word.size):
            yield Line(tuple(row[start:position]))
            start = position
    yield Line(tuple(row[start:]))


Edges = tuple[list[list[Word]], list[list[Word]]]

_MIN_PAGES = 3
_EDGE_LINES = 3
_NUMBER = re.compile(
    r"\A\W*+(?:(?:page|seite|p\.)\s?)?(?:\d{1,4}|[ivxl]{1,6})\s?(?:(?:of|/|von)\s?\d{1,4})?\W*", re.IGNORECASE
)
_PRINTED = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d{2}\b.*|(?:https?|file)://.*?(?: \d{1,4}/\d{1,4})?", re.IGNORECASE
)
"""What browsers print above and below a page: the time and the title, the address and the number."""
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
    folded, exact = (
        Counter(key for sides in edges for key in {_key(row, fold=fold) for side in sides for row in side})
        for fold in (True, False)
    )
    enough = min(_MIN_PAGES, max(2, len(pages)))
    kept = []
    for page, sides in zip(pages, edges, strict=True):
        gone: set[int] = set()
        for side in sides:
            for depth, row in enumerate(side):
                outermost = depth == 0 and folded[_key(row, fold=True)] >= enough
                if exact[_key(row, fold=False)] < enough and not outermost and not _is_page_number(row, page):
                    break
                gone |= {id(word) for word in row}
        kept.append([word for word in page.words if id(word) not in gone])
    return kept


def _edges(page: PdfPage) -> Edges:
    """The first lines of a page from the top and the last ones from the bottom."""
    lines: dict[float, list[Word]] = {}
    for line in segments(page.words):
        lines.setdefault(round(line.base), []).extend(line.words)
    ordered = [lines[base] for base in sorted(lines) if _is_at_edge(lines[base], page, _EDGE)]
    return ordered[:_EDGE_LINES], ordered[: -_EDGE_LINES - 1 : -1]


def _is_at_edge(row: Sequence[Word], page: PdfPage, edge: float) -> bool:
    return not edge < row[0].base / max(page.height, 1) < 1 - edge


def _key(row: Sequence[Word], *, fold: bool) -> tuple[str, int]:
    text = " ".join(word.text for word in row)
    return re.sub(r"\d+", "#", text) if fold else text, round(row[0].base / 4)


def _is_page_number(row: Sequence[Word], page: PdfPage) -> bool:
    text = " ".join(word.text for word in row)
    return _is_at_edge(row, page, _NUMBER_EDGE) and bool(_NUMBER.fullmatch(text) or _PRINTED.fullmatch(text))


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
