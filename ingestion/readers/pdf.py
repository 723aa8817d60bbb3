"""PDF files to plain-text blocks with their pages and sections, by where lines stand and how large they are."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import BlockKind, Hyphens, Outline, ParsedDocument, list_item
from ingestion.readers.cleaning import clean
from ingestion.readers.notes import Notes
from ingestion.readers.opening import RefusedFileError, open_regular
from ingestion.readers.pdf_layout import (
    Line,
    is_contents,
    merge_prose,
    reading_order,
    rows,
    table_cells,
    table_end,
    table_lines,
    without_running_lines,
)
from ingestion.readers.pdf_page import PdfPage, read_page

if TYPE_CHECKING:
    from pdfplumber.pdf import PDF

_MAX_BOOKMARKS = 20_000
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")
_NUMBERING = re.compile(r"\A(?:chapter\s+)?((?:\d+|[A-Z](?=\.))(?:\.\d+)*)[.:)]?\s+(?=\S)", re.IGNORECASE)


def parse_pdf(
    path: Path, notes: Notes, limits: ReadingLimits = DEFAULT_LIMITS
) -> tuple[ParsedDocument, dict[str, str]]:
    """Read a PDF.

    Sections come from its outline, and from lines in larger or bold letters. A paragraph that runs over the end of a
    page or column has the page it begins on.

    Returns:
        Its title and content, and what its properties say: `keywords`, `updated_at`.

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
            bookmarks, properties = dict(_bookmarks(document)), dict(_properties(document.metadata))
            pages = list(_pages(document, limits))
    except (PdfminerException, SystemError) as error:
        raise _refusal(error) from error
    if empty := [str(page.number) for page in pages if not page.characters]:
        notes.add(f"pages without text (scans?): {', '.join(empty)}")
    found = _whole_passages(pages)
    headings = Headings(found, bookmarks)
    title = _shown_title(properties.pop("title", ""), pages) or headings.title
    return ParsedDocument(title, _outline(found, headings, title).blocks), properties


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


def _bookmarks(document: "PDF") -> Iterator[tuple[str, int]]:
    """The outline's titles, folded, and their levels from 1; pdfminer's own way goes as deep as it has entries."""
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
            yield _folded(str(resolve_and_decode(entry.get("Title")) or "").strip()), level
            waiting += [(entry.get("Next"), level), (entry.get("First"), level + 1)]


def _folded(title: str) -> str:
    """A heading without its number, its case and its spaces."""
    return re.sub(r"\W+", "", _NUMBERING.sub("", title, count=1)).casefold()


def _pages(document: "PDF", limits: ReadingLimits) -> Iterator[PdfPage]:
    from pdfplumber.utils.exceptions import PdfminerException  # noqa: PLC0415

    characters = 0
    for page in document.pages:
        try:
            read = read_page(page, limits)
        except PdfminerException as error:
            if isinstance(refusal := _refusal(error), MemoryError):
                raise refusal from error
            read = PdfPage(page.page_number, 0.0, [], [], [])
        finally:
            page.close()
        characters += read.characters
        if characters > limits.document_characters:
            raise RefusedFileError(limits.beyond("document_characters", f"it has {characters:,} characters so far"))
        yield read


def _shown_title(named: str, pages: Sequence[PdfPage]) -> str | None:
    """The title that the file's properties name, where its first pages show its words; many name something else."""
    shown = {word for page in pages[:2] for item in page.words for word in re.findall(r"\w+", item.text.casefold())}
    words = re.findall(r"\w+", named.casefold())
    return named if words and sum(word in shown for word in words) > len(words) / 2 else None


_MARKER = re.compile(r"(?:[-*•·▪◦‣–●○■]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_ENDED = re.compile(r"[.!?:…]['\"”’)]*$")
_OTHER_SIZE = 0.06
"""Share by which letters differ that are of another size."""
_WIDE_GAP = 1.35
"""Lines that are so much farther apart than usual belong to two paragraphs."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Lines that belong together.

    Attributes:
        lines: Its text lines; rows of a table.
        size: Its font size.
        bold: Whether all of it is bold.
        page: The page it begins on.
        left: Where its first line begins.
        full: Whether its last line goes on to the end of the column.
    """

    kind: BlockKind
    lines: list[str]
    size: float
    bold: bool
    page: int
    left: float
    full: bool = False

    @property
    def text(self) -> str:
        """Its lines as one."""
        return " ".join(self.lines)

    def is_continued_by(self, following: "Passage", *, parted: bool) -> bool:
        """Whether the next passage is the rest of this one; `parted` when a column or page ends between them."""
        other = abs(self.size - following.size) > _OTHER_SIZE * self.size or self.bold != following.bold
        if other or self.kind == "table" or following.kind != "paragraph" or _ENDED.search(self.text):
            return False
        return following.text[0].islower() or (parted and self.full and len(self.lines) > 1)


def _whole_passages(pages: Sequence[PdfPage]) -> list[Passage]:
    """The passages of all pages, with those put together that a column or a page had parted."""
    shown = list(zip(pages, without_running_lines(pages), strict=True))
    hyphens = Hyphens(line.text for _, words in shown for row in rows(words) for line in row)
    whole: list[Passage] = []
    for page, words in shown:
        for region in reading_order([*words, *page.tables], page.rules):
            for number, passage in enumerate(_passages(rows(region), page.number, hyphens)):
                if whole and whole[-1].is_continued_by(passage, parted=number == 0):
                    whole[-1] = replace(whole[-1], lines=whole[-1].lines + passage.lines, full=passage.full)
                else:
                    whole.append(passage)
    return [
        passage if passage.kind == "table" else replace(passage, lines=[clean(hyphens.join(passage.lines))])
        for passage in whole
    ]


def _passages(found: Sequence[list[Line]], page: int, hyphens: Hyphens) -> Iterator[Passage]:
    """Put the lines of one column together."""
    loose_lines = [segment for row in found for segment in row if not segment.table]
    left = min((line.left for line in loose_lines), default=0.0)
    right = max((line.right for line in loose_lines), default=0.0)
    parted = [part for row in found for part in _without_tables(row)]
    merged = [row if row[0].table else merge_prose(row, left, right) for row in parted]
    merged = [row for row in merged if not is_contents(row)]
    loose: list[Line] = []
    position = 0
    while position < len(merged):
        first = merged[position][0]
        end = position + 1 if first.table else table_end(merged, position)
        if end == position:
            loose.append(Line(tuple(word for segment in merged[position] for word in segment.words)))
            position += 1
            continue
        yield from _paragraphs(loose, page)
        loose = []
        lines = table_lines(first.table or table_cells(merged[position:end]), hyphens)
        yield Passage("table", lines, first.size, bold=False, page=page, left=first.left)
        position = end
    yield from _paragraphs(loose, page)


def _without_tables(row: list[Line]) -> Iterator[list[Line]]:
    """A row's segments, with each drawn table on a row of its own."""
    for drawn, group in groupby(row, key=lambda segment: bool(segment.table)):
        segments = list(group)
        yield from ([segment] for segment in segments) if drawn else [segments]


def _paragraphs(lines: Sequence[Line], page: int) -> Iterator[Passage]:
    column = _Column(lines)
    begins = [number for number, line in enumerate(lines) if number == 0]
    for number, line in enumerate(lines[1:], start=1):
        if column.begins(lines[begins[-1] : number], line):
            begins.append(number)
    for start, end in pairwise([*begins, len(lines)]):
        together = lines[start:end]
        yield Passage(
            kind="list" if _MARKER.match(together[0].text) else "paragraph",
            lines=[line.text for line in together],
            size=together[0].size,
            bold=all(line.bold for line in together),
            page=page,
            left=together[0].left,
            full=column.room(together[-1]) < 3 * together[-1].size,
        )


class _Column:
    """The measures of a column, by which its paragraphs are told apart."""

    def __init__(self, lines: Sequence[Line]) -> None:
        rights = sorted(line.right for line in lines)
        self._right = rights[int(len(rights) * 0.9)] if rights else 0.0
        gaps = [
            (line.base - above.base) / above.size
            for above, line in pairwise(lines)
            if 0 < line.base - above.base < 2.2 * above.size
        ]
        self._leading = min(median(gaps), 1.6) if gaps else 1.2

    def room(self, line: Line) -> float:
        """How far a line ends before its column does."""
        return self._right - line.right

    def begins(self, passage: Sequence[Line], line: Line) -> bool:
        """Whether a line begins a new paragraph rather than going on with the one above."""
        first, above = passage[0], passage[-1]
        if abs(line.size - above.size) > _OTHER_SIZE * above.size or _MARKER.match(line.text):
            return True
        gap = (line.base - above.base) / above.size
        if gap > self._leading * _WIDE_GAP or (line.bold != above.bold and not _goes_on(line)):
            return True
        if _MARKER.match(first.text) and len(first.words) > 1:
            return abs(line.left - first.words[1].left) > 0.25 * line.size and self._had_room(above, line)
        indented = line.left > first.left + 0.8 * line.size and len(passage) > 1
        return indented or self._had_room(above, line)

    def _had_room(self, above: Line, line: Line) -> bool:
        """Whether a line ended before its column did, though the next word would have found room."""
        if above.text.endswith("-") or (_goes_on(line) and not _ENDED.search(above.text)):
            return False
        first = line.words[0]
        return self.room(above) > first.right - first.left + 1.5 * line.size


def _goes_on(line: Line) -> bool:
    return line.text[0].islower()


_LARGER = 1.12
"""A heading's letters are so many times as large as the text's, or bold."""
_MAX_CHARS = 120
_MAX_WORDS = 16
_STATEMENT_END = re.compile(r"[.,;:!|。，；：！][\"'”’)\]]*$")  # noqa: RUF001 - full-width marks are meant
_UNMARKED = 10
"""Levels of headings that an outline leaves out begin here, below all that it names."""

Font = tuple[float, bool, int]


class Headings:
    """Tells which passages of a document are headings, and of which level.

    Args:
        passages: Of the document.
        bookmarks: The titles of its outline, folded, and their levels.
    """

    def __init__(self, passages: Sequence[Passage], bookmarks: Mapping[str, int]) -> None:
        sizes: Counter[float] = Counter()
        for passage in passages:
            sizes[passage.size] += sum(map(len, passage.lines))
        self._body = max(sizes, key=lambda size: (sizes[size], -size), default=0.0)
        self._bookmarks = bookmarks
        by_look = [passage for passage in passages if self._looks_like_one(passage)]
        self._title = _title_of(by_look)
        fonts = {_font(passage) for passage in by_look if passage is not self._title}
        ranked = sorted(fonts, key=lambda font: (-font[0], not font[1], font[2]))
        self._levels = {font: rank for rank, font in enumerate(ranked, start=_UNMARKED if bookmarks else 1)}

    @property
    def title(self) -> str | None:
        """The document's title: the line in the largest letters, where it is the first heading and the only such."""
        return self._title.text if self._title else None

    def level(self, passage: Passage) -> int | None:
        """The level of a heading, from 1; None for a passage that is none."""
        if passage.kind == "table" or passage is self._title:
            return None
        if (level := self._bookmarks.get(_folded(passage.text))) is not None:
            return level
        return self._levels.get(_font(passage)) if self._looks_like_one(passage) else None

    def _looks_like_one(self, passage: Passage) -> bool:
        """Whether a passage stands out, is short, and reads as a title rather than as a statement."""
        larger = passage.size >= _LARGER * self._body
        if passage.kind == "table" or not (larger or (passage.bold and passage.size >= 0.95 * self._body)):
            return False
        title = _NUMBERING.sub("", passage.text, count=1)
        if len(title) > _MAX_CHARS or len(title.split()) > _MAX_WORDS or _STATEMENT_END.search(title):
            return False
        return sum(character.isalpha() for character in title) > len(title) / 2 and not title[0].islower()


def _title_of(headings: Sequence[Passage]) -> Passage | None:
    first = headings[0] if headings else None
    if first is None or first.page > 2:  # noqa: PLR2004 - a cover may stand before it
        return None
    return None if any(other.size >= first.size for other in headings[1:]) else first


def _font(passage: Passage) -> Font:
    numbered = _NUMBERING.match(passage.text)
    depth = numbered[1].count(".") if numbered else 0
    return round(passage.size * 2) / 2, passage.bold, depth


_CONTENTS = re.compile(r"(?:table of )?contents", re.IGNORECASE)


def _outline(found: Sequence[Passage], headings: Headings, title: str | None) -> Outline:
    outline = Outline()
    empty: tuple[int, Passage] | None = None
    for together in _with_lists(found, headings):
        first = together[0]
        if first.text == headings.title == title:
            continue
        level = headings.level(first)
        # A line in large letters that heads nothing is said for its own sake.
        if level is not None and empty is not None and empty[0] >= level and not _CONTENTS.fullmatch(empty[1].text):
            outline.add("paragraph", empty[1].text, empty[1].page)
        empty = None if level is None else (level, first)
        if level is not None:
            outline.heading(level, first.text)
        elif first.kind == "list":
            outline.add("list", "\n".join(_list_lines(together)), first.page)
        else:
            outline.add(first.kind, "\n".join(first.lines), first.page)
    if empty is not None or not outline.blocks:
        last = empty[1] if empty is not None else found[-1] if found else None
        outline.add("paragraph", last.text if last else "", last.page if last else None)
    return outline


def _with_lists(found: Sequence[Passage], headings: Headings) -> Iterator[list[Passage]]:
    """The passages, with the items of a list on one page together."""

    def key(passage: Passage) -> object:
        return passage.page if passage.kind == "list" and headings.level(passage) is None else passage

    for _, group in groupby(found, key=key):
        yield list(group)


def _list_lines(items: Sequence[Passage]) -> Iterator[str]:
    lefts: list[float] = []
    for left in sorted(item.left for item in items):
        if not lefts or left - lefts[-1] > items[0].size / 2:
            lefts.append(left)
    for item in items:
        depth = sum(left <= item.left for left in lefts) - 1
        yield "  " * depth + (list_item(item.text) or item.text)
