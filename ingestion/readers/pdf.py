"""PDF files to plain-text blocks with their pages and sections, by where lines stand and how large they are."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median

from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import BlockKind, Hyphens, Outline, ParsedDocument, list_item
from ingestion.readers.cleaning import clean
from ingestion.readers.pdf_file import Bookmark, PdfFile, PdfPage, Rule, load_pdf
from ingestion.readers.pdf_page import Line, reading_order, rows, segments, without_running_lines
from ingestion.readers.pdf_tables import drawn_tables, is_contents, merge_prose, table_end, table_lines
from ingestion.readers.repairs import Repairs

_MARKER = re.compile(r"(?:[-*•·▪◦‣–●○■]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_ENDED = re.compile(r"[.!?:…]['\"”’)]*$")
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
        if self.kind == "table" or following.kind != "paragraph" or abs(self.size - following.size) > 0.06 * self.size:
            return False
        if _ENDED.search(self.text) or self.bold != following.bold:
            return False
        return following.text[0].islower() or (parted and self.full and len(self.lines) > 1)


def passages(region: Sequence[Line], rules: Sequence[Rule], page: int, hyphens: Hyphens) -> Iterator[Passage]:
    """Put the lines of one column together."""
    tables = [piece for piece in region if piece.table]
    loose_words = [word for piece in region if not piece.table for word in piece.words]
    left = min((word.left for word in loose_words), default=0.0)
    right = max((word.right for word in loose_words), default=0.0)
    found = [merge_prose(row, left, right) for row in rows([*segments(loose_words), *tables])]
    found = [row for row in found if not is_contents(row)]
    loose: list[Line] = []
    position = 0
    while position < len(found):
        end = table_end(found, position)
        if end == position:
            loose.append(Line(tuple(word for segment in found[position] for word in segment.words)))
            position += 1
            continue
        yield from _paragraphs(loose, rules, page)
        loose = []
        first = found[position][0]
        lines = first.table or table_lines(found[position:end], rules, hyphens)
        yield Passage("table", list(lines), first.size, bold=False, page=page, left=first.left)
        position = end
    yield from _paragraphs(loose, rules, page)


def _paragraphs(lines: Sequence[Line], rules: Sequence[Rule], page: int) -> Iterator[Passage]:
    column = _Column(lines, rules)
    together: list[Line] = []
    for line in lines:
        if together and column.begins(together, line):
            yield _passage(together, column, page)
            together = []
        together.append(line)
    if together:
        yield _passage(together, column, page)


def _passage(lines: Sequence[Line], column: "_Column", page: int) -> Passage:
    return Passage(
        kind="list" if _MARKER.match(lines[0].text) else "paragraph",
        lines=[line.text for line in lines],
        size=lines[0].size,
        bold=all(line.bold for line in lines),
        page=page,
        left=lines[0].left,
        full=column.fills(lines[-1]),
    )


class _Column:
    """The measures of a column, by which its paragraphs are told apart."""

    def __init__(self, lines: Sequence[Line], rules: Sequence[Rule]) -> None:
        self._rules = rules
        rights = sorted(line.right for line in lines)
        self._right = rights[int(len(rights) * 0.9)] if rights else 0.0
        gaps = [
            (line.base - above.base) / above.size
            for above, line in pairwise(lines)
            if 0 < line.base - above.base < 2.2 * above.size
        ]
        self._leading = min(median(gaps), 1.6) if gaps else 1.2

    def fills(self, line: Line) -> bool:
        """Whether a line reaches the column's right end, but for a word that did not fit."""
        return line.right > self._right - 3 * line.size

    def begins(self, passage: Sequence[Line], line: Line) -> bool:
        """Whether a line begins a new paragraph rather than going on with the one above."""
        above = passage[-1]
        if abs(line.size - above.size) > 0.06 * above.size or _MARKER.match(line.text):
            return True
        gap = (line.base - above.base) / above.size
        if gap > self._leading * _WIDE_GAP or gap < 0 or (line.bold != above.bold and not _goes_on(line)):
            return True
        if any(above.base + 0.3 * above.size < rule.base < line.base - 0.8 * line.size for rule in self._rules):
            return True
        first = passage[0]
        if _MARKER.match(first.text) and len(first.words) > 1:
            return abs(line.left - first.words[1].left) > 0.25 * line.size and self._had_room(above, line)
        indented = line.left > first.left + 0.8 * line.size and len(passage) > 1
        return indented or self._had_room(above, line)

    def _had_room(self, above: Line, line: Line) -> bool:
        """Whether a line ended before its column did, though the next word would have found room."""
        first = line.words[0]
        room = self._right - above.right
        if above.text.endswith("-") or (_goes_on(line) and not _ENDED.search(above.text)):
            return False
        return room > first.right - first.left + 1.5 * line.size


def _goes_on(line: Line) -> bool:
    return line.text[0].islower()


_LARGER = 1.12
"""A heading's letters are so many times as large as the text's, or bold."""
_MAX_CHARS = 120
_MAX_WORDS = 16
_NUMBERING = re.compile(r"\A(?:chapter\s+)?((?:\d+|[A-Z](?=\.))(?:\.\d+)*)[.:)]?\s+(?=\S)", re.IGNORECASE)
_STATEMENT_END = re.compile(r"[.,;:!|。，；：！][\"'”’)\]]*$")  # noqa: RUF001 - full-width marks are meant
_UNMARKED = 10
"""Levels of headings that an outline leaves out begin here, below all that it names."""

Font = tuple[float, bool, int]


class Headings:
    """Tells which passages of a document are headings, and of which level."""

    def __init__(self, passages: Sequence[Passage], outline: Sequence[Bookmark]) -> None:
        sizes: Counter[float] = Counter()
        for passage in passages:
            sizes[passage.size] += sum(map(len, passage.lines))
        self._body = max(sizes, key=lambda size: (sizes[size], -size), default=0.0)
        self._outline = {_folded(mark.title): mark.level for mark in outline}
        by_look = [passage for passage in passages if self._looks_like_one(passage)]
        self._title = _title_of(by_look)
        fonts = {_font(passage) for passage in by_look if passage is not self._title}
        ranked = sorted(fonts, key=lambda font: (-font[0], not font[1], font[2]))
        above = _UNMARKED if self._outline else 1
        self._levels = {font: above + rank for rank, font in enumerate(ranked)}

    @property
    def title(self) -> str | None:
        """The document's title: the line in the largest letters, where it is the first heading and the only such."""
        return self._title.text if self._title else None

    def is_title(self, passage: Passage) -> bool:
        """Whether a passage is the title."""
        return passage is self._title

    def level(self, passage: Passage) -> int | None:
        """The level of a heading, from 1; None for a passage that is none."""
        if passage.kind == "table" or passage is self._title:
            return None
        if (level := self._outline.get(_folded(passage.text))) is not None:
            return level
        return self._levels.get(_font(passage)) if self._looks_like_one(passage) else None

    def _looks_like_one(self, passage: Passage) -> bool:
        larger = passage.size >= _LARGER * self._body
        if passage.kind == "table" or not (larger or (passage.bold and passage.size >= 0.95 * self._body)):
            return False
        return _is_titled(passage.text)


def _is_titled(text: str) -> bool:
    """Whether a text is short and reads as a title rather than as a statement."""
    title = _NUMBERING.sub("", text, count=1)
    if len(title) > _MAX_CHARS or len(title.split()) > _MAX_WORDS or _STATEMENT_END.search(title):
        return False
    letters = sum(character.isalpha() for character in title)
    return letters > len(title) / 2 and not title[0].islower()


def _title_of(headings: Sequence[Passage]) -> Passage | None:
    first = headings[0] if headings else None
    if first is None or first.page > 2:  # noqa: PLR2004 - a cover may stand before it
        return None
    return None if any(other.size >= first.size for other in headings[1:]) else first


def _font(passage: Passage) -> Font:
    numbered = _NUMBERING.match(passage.text)
    depth = numbered[1].count(".") if numbered else 0
    return round(passage.size * 2) / 2, passage.bold, depth


def _folded(title: str) -> str:
    """A heading without its number, its case and its spaces."""
    return re.sub(r"\W+", "", _NUMBERING.sub("", title, count=1)).casefold()


_CONTENTS = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des mati.res|sommaire|contenido|.ndice|inhoud(?:sopgave)?",
    re.IGNORECASE,
)


def parse_pdf(
    path: Path, repairs: Repairs, limits: ReadingLimits = DEFAULT_LIMITS
) -> tuple[ParsedDocument, dict[str, str]]:
    """Read a PDF.

    Sections come from its outline, and from lines in larger or bold letters. A paragraph that runs over the end of a
    page or column has the page it begins on.

    Returns:
        Its title and content, and what its properties say: `keywords`, `updated_at`.

    Raises:
        RefusedFileError: It is encrypted, damaged, or beyond a limit.
    """
    file = load_pdf(path, limits)
    for page in file.pages:
        if not page.words:
            repairs.note("pages_without_text", page.number)
    found = _whole_passages(file)
    headings = Headings(found, file.outline)
    properties = dict(file.properties)
    title = _shown_title(properties.pop("title", ""), file.pages) or headings.title
    return ParsedDocument(title, _outline(found, headings, title).blocks), properties


def _shown_title(named: str, pages: Sequence[PdfPage]) -> str | None:
    """The title that the file's properties name, where its first pages show its words; many name something else."""
    shown = {word for page in pages[:2] for item in page.words for word in re.findall(r"\w+", item.text.casefold())}
    words = re.findall(r"\w+", named.casefold())
    return named if words and sum(word in shown for word in words) > len(words) / 2 else None


def _whole_passages(file: PdfFile) -> list[Passage]:
    """The passages of all pages, with those put together that a column or a page had parted."""
    pages = list(zip(file.pages, without_running_lines(file.pages), strict=True))
    hyphens = Hyphens(line.text for _, words in pages for line in segments(words))
    whole: list[Passage] = []
    for page, words in pages:
        tables, loose = drawn_tables(words, page, hyphens)
        pieces = [*(Line((word,)) for word in loose), *tables]
        for region in reading_order(pieces, page.rules):
            for number, passage in enumerate(passages(region, page.rules, page.number, hyphens)):
                if whole and whole[-1].is_continued_by(passage, parted=number == 0):
                    whole[-1] = replace(whole[-1], lines=whole[-1].lines + passage.lines, full=passage.full)
                else:
                    whole.append(passage)
    return [
        passage if passage.kind == "table" else replace(passage, lines=[clean(hyphens.join(passage.lines))])
        for passage in whole
    ]


def _outline(found: Sequence[Passage], headings: Headings, title: str | None) -> Outline:
    outline = Outline()
    empty: tuple[int, Passage] | None = None
    for together in _with_lists(found, headings):
        first = together[0]
        if headings.is_title(first) and first.text == title:
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
