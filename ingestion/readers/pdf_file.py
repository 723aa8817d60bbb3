"""What a PDF shows, as pdfplumber reads it: words, lines and drawn tables at their places, outline and properties."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingestion.limits import ReadingLimits
from ingestion.readers.opening import RefusedFileError, open_regular

if TYPE_CHECKING:
    from pdfplumber.page import Page
    from pdfplumber.pdf import PDF

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
_MAX_BOOKMARKS = 20_000
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")

Box = tuple[float, float, float, float]
"""Left, top, right and bottom end."""


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
class PdfPage:
    """A page: its number from 1, its height in points, and what it shows; of each drawn table the cells."""

    number: int
    height: float
    words: list[Word]
    rules: list[Rule]
    tables: list[list[Box]]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of a PDF's outline; `level` counts from 1."""

    level: int
    title: str


@dataclass(frozen=True, slots=True)
class PdfFile:
    """A PDF's pages, outline and properties (`title`, `keywords`, `updated_at`)."""

    pages: list[PdfPage]
    outline: list[Bookmark]
    properties: dict[str, str]


def load_pdf(path: Path, limits: ReadingLimits) -> PdfFile:
    """Read a PDF.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file, encrypted, damaged, or beyond a limit.
        MemoryError: It takes more memory than there is.
    """
    import pdfplumber  # noqa: PLC0415 - heavy, for PDF alone, with all below
    from pdfplumber.utils.exceptions import PdfminerException  # noqa: PLC0415

    try:
        with open_regular(path) as file:
            document = pdfplumber.open(file)  # not closed: that makes all pages once more, only to close them
            if (count := len(document.pages)) > limits.pages:
                raise RefusedFileError(limits.beyond("pages", f"it has {count:,} pages"))
            outline, properties = list(_outline(document)), dict(_properties(document.metadata))
            return PdfFile(list(_pages(document, limits)), outline, properties)
    except (PdfminerException, SystemError) as error:
        raise _refusal(error) from error


def _refusal(error: Exception) -> Exception:
    """Why a file cannot be read, in words; what the machine lacks is not the file's fault."""
    from pdfminer.pdfdocument import PDFEncryptionError  # noqa: PLC0415

    cause = next((one for one in error.args if isinstance(one, Exception)), error)
    if isinstance(cause, (MemoryError, SystemError)):  # the second where there was no room to tell the first
        return MemoryError()
    encrypted = isinstance(cause, PDFEncryptionError)
    return RefusedFileError(
        "it is encrypted; save a copy without a password" if encrypted else "it is damaged or no PDF"
    )


def _properties(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, key in (("title", "Title"), ("keywords", "Keywords")):
        value = str(found.get(key) or "").strip()
        if value:
            yield name, value
    if match := _PDF_DATE.match(str(found.get("ModDate") or found.get("CreationDate") or "")):
        yield "updated_at", "-".join(match.groups())


def _outline(document: "PDF") -> Iterator[Bookmark]:
    """The entries in their order; pdfminer's own way goes as deep as there are entries beside each other."""
    from pdfminer.pdftypes import resolve1  # noqa: PLC0415
    from pdfplumber.utils.pdfinternals import resolve_and_decode  # noqa: PLC0415

    root = resolve1(document.doc.catalog.get("Outlines"))
    waiting = [(root.get("First"), 1)] if isinstance(root, dict) else []
    for _ in range(_MAX_BOOKMARKS):
        if not waiting:
            return
        reference, level = waiting.pop()
        entry = resolve1(reference)
        if isinstance(entry, dict):
            yield Bookmark(level, " ".join(str(resolve_and_decode(entry.get("Title")) or "").split()))
            waiting += [(entry.get("Next"), level), (entry.get("First"), level + 1)]


def _pages(document: "PDF", limits: ReadingLimits) -> Iterator[PdfPage]:
    from pdfplumber.utils.exceptions import PdfminerException  # noqa: PLC0415

    characters = 0
    for page in document.pages:
        try:
            read = _read_page(page, limits)
        except PdfminerException as error:
            if isinstance(refusal := _refusal(error), MemoryError):
                raise refusal from error
            read = PdfPage(page.page_number, 0.0, [], [], [])
        finally:
            page.close()
        characters += sum(len(word.text) for word in read.words)
        if characters > limits.document_characters:
            raise RefusedFileError(limits.beyond("document_characters", f"it has {characters:,} characters so far"))
        yield read


def _read_page(page: "Page", limits: ReadingLimits) -> PdfPage:
    if (count := len(page.chars)) > limits.page_characters:
        raise RefusedFileError(limits.beyond("page_characters", f"page {page.page_number} has {count:,} characters"))
    upright = _turned(page)
    drawn = len(upright.edges) <= _MAX_EDGES
    rules = [
        Rule(edge["x0"], edge["x1"], edge["top"])
        for edge in (upright.horizontal_edges if drawn else ())
        if edge["x1"] - edge["x0"] >= _MIN_RULE
    ]
    tables = [table.cells for table in upright.find_tables()] if drawn and upright.vertical_edges else []
    # Some programs make bold letters by setting each twice, a little apart.
    letters = upright.filter(_is_upright).dedupe_chars()
    height = float(upright.height)
    return PdfPage(page.page_number, height, list(_words(letters.chars, height)), rules, tables)


def _turned(page: "Page") -> "Page":
    """A page with most of its text upright."""
    from pdfplumber.page import Page  # noqa: PLC0415

    sample = islice(page.chars, 0, None, 1 + len(page.chars) // 200)
    quarters = Counter(round(lean / (math.pi / 2)) % 4 for lean in map(_lean, sample))
    turn = 90 * max(quarters, key=lambda quarter: quarters[quarter], default=0)
    if not turn:
        return page
    turned = page.page_obj
    turned.rotate = (turned.rotate + turn) % 360
    turned.attrs["Rotate"] = turned.rotate
    return Page(page.pdf, turned, page.page_number)


def _lean(character: Mapping[str, Any]) -> float:
    """By how many radians a character is turned to the left."""
    return math.atan2(character["matrix"][1], character["matrix"][0])


def _is_upright(drawn: Mapping[str, Any]) -> bool:
    return drawn["object_type"] != "char" or abs(_lean(drawn)) <= _UPRIGHT


def _words(characters: Sequence[dict[str, Any]], height: float) -> Iterator[Word]:
    """The words in the order in which the file has them."""
    from pdfplumber.utils.text import extract_words  # noqa: PLC0415

    for found in extract_words(
        list(characters),
        return_chars=True,
        use_text_flow=True,
        x_tolerance_ratio=_SPACE,
        y_tolerance_ratio=_LINE,
    ):
        first = found["chars"][0]
        text = "".join(_shown(found["chars"])).translate(_HYPHENS)
        # A sign without a name has no meaning but where it begins a list item.
        text = "•" if _NAMELESS.fullmatch(text) else _NAMELESS.sub("", text)
        if text:
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
