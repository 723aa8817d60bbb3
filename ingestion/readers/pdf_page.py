"""What a page of a PDF shows, as pdfplumber reads it: words, rules and drawn tables at their places."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingestion.limits import ReadingLimits
from ingestion.readers.opening import RefusedFileError

if TYPE_CHECKING:
    from pdfplumber.page import Page

_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_HYPHENS = str.maketrans({"\u00ad": "-", "\u2010": "-", "\x00": "", "\ufffd": ""})
"""The hyphens at line ends, and signs of what is no character."""
_NAMELESS = re.compile(r"[\ue000-\uf8ff]|\(cid:\d{1,9}\)")
"""Signs of symbol fonts, and those whose character no font tells."""
_UPRIGHT = 0.1
"""Most radians that text may lean; what leans more is a watermark or a label along an edge."""
_SPACE = 0.15
"""Font sizes between two characters that part words; most files that set words apart without a space do so by more."""
_LINE = 0.6
"""Font sizes up or down by which characters that follow each other belong to two words."""
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SMALLER = 0.95
"""A raised number is at most so many times as large as what it stands at."""
_MIN_RULE = 8.0
"""Points that a line is long at least; shorter ones are parts of a drawing."""
_MAX_EDGES = 50_000
"""Edges of what is drawn on a page from which on it is a picture."""
_MIN_CELLS = 2
"""A table has so many rows and columns at least."""

Cells = tuple[tuple[str, ...], ...]
"""The texts of a table by row and column, as they are wrapped."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its place, in points from the top left corner of the page; `base` is its baseline.

    Attributes:
        table: The cells of the drawn table that stands here, in place of a text.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    bold: bool = False
    table: Cells = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line drawn on a page."""

    left: float
    right: float
    base: float


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page: its number from 1, its height in points, and what it shows; what drawn tables hold is no word of it."""

    number: int
    height: float
    words: list[Word]
    tables: list[Word]
    rules: list[Rule]

    @property
    def characters(self) -> int:
        """How much text it has."""
        held = (cell for table in self.tables for row in table.table for cell in row)
        return sum(len(word.text) for word in self.words) + sum(map(len, held))


def read_page(page: "Page", limits: ReadingLimits) -> PdfPage:
    """Read a page.

    Raises:
        RefusedFileError: It has more characters than the limit.
    """
    if (count := len(page.chars)) > limits.page_characters:
        raise RefusedFileError(limits.beyond("page_characters", f"page {page.page_number} has {count:,} characters"))
    # Some programs make bold letters by setting each twice, a little apart.
    upright = page.filter(_is_upright).dedupe_chars()
    drawn = len(upright.edges) <= _MAX_EDGES
    rules = [
        Rule(edge["x0"], edge["x1"], edge["top"])
        for edge in (upright.horizontal_edges if drawn else ())
        if edge["x1"] - edge["x0"] >= _MIN_RULE
    ]
    height = float(upright.height)
    words = list(_words(upright.chars, height))
    tables: list[Word] = []
    for table in upright.find_tables() if drawn and upright.vertical_edges else ():
        inside = [word for word in words if _stands_in(word, table)]
        cells = _filled(list(_cells(table)))
        if inside and cells:
            first = min(inside, key=lambda word: word.base)
            tables.append(Word("", table.bbox[0], table.bbox[2], first.base, first.size, table=cells))
            taken = set(inside)
            words = [word for word in words if word not in taken]
    return PdfPage(page.page_number, height, words, tables, rules)


def _is_upright(drawn: Mapping[str, Any]) -> bool:
    return drawn["object_type"] != "char" or abs(math.atan2(drawn["matrix"][1], drawn["matrix"][0])) <= _UPRIGHT


def _words(characters: Sequence[dict[str, Any]], height: float) -> Iterator[Word]:
    """The words in the order in which the file has them."""
    from pdfplumber.utils.text import extract_words  # noqa: PLC0415 - heavy, for PDF alone, with the next

    for found in extract_words(
        list(characters),
        return_chars=True,
        use_text_flow=True,
        x_tolerance_ratio=_SPACE,
        y_tolerance_ratio=_LINE,
    ):
        text = "".join(_shown(found["chars"])).translate(_HYPHENS)
        # A sign without a name has no meaning but where it begins a list item.
        text = "•" if _NAMELESS.fullmatch(text) else _NAMELESS.sub("", text)
        if text:
            first = found["chars"][0]
            bold = _BOLD.search(first["fontname"]) is not None
            tallest = max(found["chars"], key=lambda one: one["size"])
            yield Word(text, found["x0"], found["x1"], height - tallest["matrix"][5], round(first["size"], 1), bold)


def _shown(characters: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The characters of a word, ligatures in letters, smaller ones that stand higher raised."""
    from pdfplumber.utils.text import LIGATURES  # noqa: PLC0415

    tallest = max(characters, key=lambda one: one["size"])
    size, base = tallest["size"], tallest["matrix"][5]
    for one in characters:
        lifted = one["size"] < _SMALLER * size and one["matrix"][5] - base > 0.15 * size
        text = LIGATURES.get(one["text"], one["text"])
        # Raised digits do not join the number before them (`25 m²`, `4,500¹ mAh`).
        yield text.translate(_RAISED) if lifted else text


def _stands_in(word: Word, table: Any) -> bool:  # noqa: ANN401 - the library's types are untyped, as below
    x, y = (word.left + word.right) / 2, word.base - 0.3 * word.size
    rows = (row for row in table.rows if row.bbox[1] <= y <= row.bbox[3])
    return any(cell and cell[0] <= x <= cell[2] and cell[1] <= y <= cell[3] for row in rows for cell in row.cells)


def _cells(table: Any) -> Iterator[list[str]]:  # noqa: ANN401
    """The rows of a table; a cell that hangs down stands in each row, one that spans columns in the first of them."""
    hanging: dict[int, tuple[float, str]] = {}
    for row, texts in zip(table.rows, table.extract(x_tolerance_ratio=_SPACE), strict=True):
        for column, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
            if cell is not None:
                hanging[column] = (cell[3], _NAMELESS.sub("", (text or "").translate(_HYPHENS)))
        yield [hanging[at][1] if hanging.get(at, (0.0,))[0] > row.bbox[1] + 1 else "" for at in range(len(texts))]


def _filled(rows: Sequence[Sequence[str]]) -> Cells:
    """The rows and columns that hold something; nothing where they are too few for a table."""
    filled = [row for row in rows if any(row)]
    used = [column for column in range(len(filled[0]) if filled else 0) if any(row[column] for row in filled)]
    if min(len(filled), len(used)) < _MIN_CELLS:
        return ()
    return tuple(tuple(row[column] for column in used) for row in filled)
