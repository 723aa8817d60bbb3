"""What a PDF shows on its pages: words with their places, and the rules drawn between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

SEGMENT_GAP = 1.0
"""A gap of so many font sizes parts a line into columns or cells."""
_SAME_LINE = 0.35
"""Words whose baselines differ by less than so many font sizes stand on one line."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its place, in points from the top left corner of the page; `base` is its baseline."""

    text: str
    left: float
    right: float
    base: float
    size: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line drawn on a page."""

    left: float
    right: float
    base: float


@dataclass(frozen=True, slots=True)
class Upright:
    """A vertical line drawn on a page."""

    left: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page: its number from 1, its height in points, and what it shows."""

    number: int
    height: float
    words: list[Word]
    rules: list[Rule]
    uprights: list[Upright]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of a PDF's outline; `level` counts from 1, `page` too."""

    level: int
    title: str
    page: int | None


@dataclass(frozen=True, slots=True)
class PdfFile:
    """A PDF's pages, outline and properties (`title`, `keywords`, `updated_at`)."""

    pages: list[PdfPage]
    outline: list[Bookmark]
    properties: dict[str, str]


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
