"""The one place that knows the libraries for foreign formats: mammoth for Word, PDFium for PDF."""

import ctypes
import io
import logging
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingestion.limits import ReadingLimits
from ingestion.readers.opening import RefusedFileError
from ingestion.readers.pdf_page import SMALLER, Bookmark, PdfFile, PdfPage, Rule, Upright, Word, raised, with_raised

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_REFUSALS = {"password": "it is encrypted; save a copy without a password", "format": "it is damaged or no PDF"}
_BOLD = re.compile(r"bold|black|heavy|demi", re.IGNORECASE)
_BOLD_WEIGHT = 600
_GLYPHS = str.maketrans(
    {
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st",
        "\ufb06": "st", "\ufffe": "-", "\x02": "-", "\u00ad": "-", "\u2010": "-",
    }
)  # fmt: skip
"""Ligatures, the bullets of symbol fonts, and the hyphens at line ends."""
_BULLET = re.compile("[\ue000-\uf8ff]")
_UPRIGHT = 0.1
"""Most radians that text may lean; what leans more is a watermark or a label along an edge."""
_MIN_RULE = 8.0
_MIN_UPRIGHT = 5.0
_MAX_SEGMENTS = 400
_MAX_DRAWN = 50_000
_MAX_BOOKMARKS = 20_000
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")


def load_docx(data: bytes) -> str:
    """Turn a Word file into HTML: headings, lists, tables, notes and links; no pictures, headers or footers."""
    import mammoth  # noqa: PLC0415 - heavy, for Word alone

    logging.getLogger("mammoth").setLevel(logging.ERROR)
    styles = "p[style-name='Title'] => h1.title:fresh"
    result = mammoth.convert_to_html(io.BytesIO(data), style_map=styles, convert_image=lambda _image: [])
    return str(result.value)


def load_pdf(path: Path, limits: ReadingLimits) -> PdfFile:
    """Read the words of a PDF with their places.

    Raises:
        RefusedFileError: It is encrypted, damaged, or beyond a limit.
    """
    import pypdfium2 as pdfium  # noqa: PLC0415 - heavy, for PDF alone

    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        reasons = [reason for word, reason in _REFUSALS.items() if word in str(error).lower()]
        raise RefusedFileError(reasons[0] if reasons else str(error)) from error
    with document:
        if len(document) > limits.pages:
            raise RefusedFileError(limits.beyond("pages", f"it has {len(document):,} pages"))
        pages = []
        characters = 0
        for index in range(len(document)):
            pages.append(_read_page(document, index, limits))
            characters += sum(len(word.text) for word in pages[-1].words)
            if characters > limits.document_characters:
                raise RefusedFileError(limits.beyond("document_characters", f"it has {characters:,} characters so far"))
        return PdfFile(pages, list(_outline(document)), dict(_properties(document)))


def _outline(document: "PdfDocument") -> Iterator[Bookmark]:
    for entry in islice(document.get_toc(), _MAX_BOOKMARKS):
        target = entry.get_dest()
        index = None if target is None else target.get_index()
        yield Bookmark(entry.level + 1, " ".join(entry.get_title().split()), None if index is None else index + 1)


def _properties(document: "PdfDocument") -> Iterator[tuple[str, str]]:
    found = document.get_metadata_dict(skip_empty=True)
    for name, key in (("title", "Title"), ("keywords", "Keywords")):
        if not re.match(r"\(?(anonymous|unspecified|untitled)|microsoft \w+ - ", found.get(key, "("), re.IGNORECASE):
            yield name, found.get(key, "").strip()
    if match := _PDF_DATE.match(found.get("ModDate") or found.get("CreationDate") or ""):
        yield "updated_at", "-".join(match.groups())


def _read_page(document: "PdfDocument", index: int, limits: ReadingLimits) -> PdfPage:
    import pypdfium2 as pdfium  # noqa: PLC0415 - heavy, for PDF alone

    try:
        page = document[index]
    except pdfium.PdfiumError:
        return PdfPage(index + 1, 0.0, [], [], [])
    text = page.get_textpage()
    if (count := text.count_chars()) > limits.page_characters:
        raise RefusedFileError(limits.beyond("page_characters", f"page {index + 1} has {count:,} characters"))
    place = _Place(page, _turn(text))
    words = _Words(text, place).read()
    drawn = list(_edges(page, place))
    return PdfPage(
        index + 1,
        place.height,
        words,
        [edge for edge in drawn if isinstance(edge, Rule)],
        [edge for edge in drawn if isinstance(edge, Upright)],
    )


def _turn(text: Any) -> int:  # noqa: ANN401 - PDFium's types are untyped
    """By how many degrees a page must be turned for most of its text to stand upright: 0, 90, 180 or 270."""
    import pypdfium2.raw as pdfium_c  # noqa: PLC0415 - heavy, for PDF alone

    count = text.count_chars()
    angles = (pdfium_c.FPDFText_GetCharAngle(text, index) for index in range(0, count, 1 + count // 200))
    quarters = Counter(round(-angle / (math.pi / 2)) % 4 for angle in angles if abs(math.sin(2 * angle)) < _UPRIGHT)
    return 90 * max(quarters, key=lambda quarter: quarters[quarter], default=0)


class _Place:
    """From a PDF's coordinates to points from the top left corner of the page with its text upright."""

    def __init__(self, page: Any, turned: int) -> None:  # noqa: ANN401 - PDFium's types are untyped
        self.turned = turned
        self._box = page.get_cropbox()
        left, bottom, right, top = self._box
        self.height = right - left if turned in {90, 270} else top - bottom

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        left, bottom, right, top = self._box
        return {
            0: (x - left, top - y),
            90: (y - bottom, x - left),
            180: (right - x, y - bottom),
            270: (top - y, right - x),
        }[self.turned]


class _Words:
    """Gathers the characters of a page into words."""

    def __init__(self, text: Any, place: _Place) -> None:  # noqa: ANN401 - PDFium's types are untyped
        import pypdfium2.raw as pdfium_c  # noqa: PLC0415 - heavy, for PDF alone

        self._pdfium = pdfium_c
        self._text = text
        self._place = place
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._box = pdfium_c.FS_RECTF()
        self._matrix = pdfium_c.FS_MATRIX()
        self._words: list[Word] = []
        self._characters: list[tuple[str, float, float, float, float]] = []
        self._bold = False
        self._size = 0.0

    def read(self) -> list[Word]:
        for index in range(self._text.count_chars()):
            character = chr(self._pdfium.FPDFText_GetUnicode(self._text, index)).translate(_GLYPHS)
            if character.isspace() or not character.strip("\x00\ufffd"):
                self._end()
            elif self._characters or self._begins(index):
                self._add(index, character)
        self._end()
        return with_raised(self._words)

    def _begins(self, index: int) -> bool:
        """Note the font of a word's first character; one that leans begins none."""
        angle = self._pdfium.FPDFText_GetCharAngle(self._text, index) + math.radians(self._place.turned)
        if abs(math.remainder(angle, math.tau)) > _UPRIGHT:
            return False
        name = ctypes.create_string_buffer(128)
        self._pdfium.FPDFText_GetFontInfo(self._text, index, name, 128, ctypes.c_int())
        weight = self._pdfium.FPDFText_GetFontWeight(self._text, index)
        self._pdfium.FPDFText_GetMatrix(self._text, index, self._matrix)
        scale = math.hypot(self._matrix.c, self._matrix.d)
        self._size = round(scale * self._pdfium.FPDFText_GetFontSize(self._text, index), 1)
        self._bold = weight >= _BOLD_WEIGHT or _BOLD.search(name.value.decode("latin-1")) is not None
        return True

    def _add(self, index: int, character: str) -> None:
        self._pdfium.FPDFText_GetCharOrigin(self._text, index, self._x, self._y)
        self._pdfium.FPDFText_GetLooseCharBox(self._text, index, self._box)
        start, top = self._place(self._box.left, self._box.top)
        end, bottom = self._place(self._box.right, self._box.bottom)
        _, base = self._place(self._x.value, self._y.value)
        left, right, height = min(start, end), max(start, end), abs(bottom - top)
        if self._characters and self._is_apart(left, base):
            self._end()
            if not self._begins(index):
                return
        self._characters.append((character, left, right, base, height))

    def _is_apart(self, left: float, base: float) -> bool:
        """Whether a character stands apart from the one before; those of a ligature stand at one place."""
        _, before_left, before, before_base, _ = self._characters[-1]
        if left == before_left and base == before_base:
            return False
        return not -0.5 * self._size < left - before < 0.25 * self._size or abs(base - before_base) > 0.6 * self._size

    def _end(self) -> None:
        if not self._characters:
            return
        height = max(height for *_, height in self._characters)
        base = next(base for *_, base, own in self._characters if own == height)
        text = "".join(
            raised(character) if own < SMALLER * height and base - place > 0.15 * height else character
            for character, _, _, place, own in self._characters
        )
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        # A sign of a symbol font has no meaning but where it begins a list item.
        text = _BULLET.sub("•", text) if len(text) == 1 else _BULLET.sub("", text)
        left, right = self._characters[0][1], self._characters[-1][2]
        self._words.append(Word(text, left, right, base, self._size, self._bold))
        self._characters = []


def _edges(page: Any, place: _Place) -> Iterator[Rule | Upright]:  # noqa: ANN401 - PDFium's types are untyped
    """The horizontal and vertical edges of what is drawn on a page."""
    import pypdfium2.raw as pdfium_c  # noqa: PLC0415 - heavy, for PDF alone

    for drawn in islice(page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_PATH], max_depth=3), _MAX_DRAWN):
        matrix = drawn.get_matrix()
        points = list(_points(drawn, pdfium_c))
        corners = [place(*matrix.on_point(x, y)) for x, y in points]
        for (left, base), (right, end) in zip(corners, corners[1:] + corners[:1], strict=True):
            if abs(base - end) < 1 and abs(right - left) >= _MIN_RULE:
                yield Rule(min(left, right), max(left, right), base)
            elif abs(left - right) < 1 and abs(base - end) >= _MIN_UPRIGHT:
                yield Upright(left, min(base, end), max(base, end))


def _points(drawn: Any, pdfium_c: Any) -> Iterator[tuple[float, float]]:  # noqa: ANN401 - PDFium's types are untyped
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(min(pdfium_c.FPDFPath_CountSegments(drawn), _MAX_SEGMENTS)):
        segment = pdfium_c.FPDFPath_GetPathSegment(drawn, number)
        if pdfium_c.FPDFPathSegment_GetPoint(segment, x, y):
            yield x.value, y.value
