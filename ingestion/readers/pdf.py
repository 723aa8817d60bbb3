"""PDF files to plain-text blocks with their pages and sections."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import Outline, ParsedDocument
from ingestion.readers.cleaning import clean
from ingestion.readers.loaders import load_pdf
from ingestion.readers.pdf_page import Line, PdfFile, PdfPage, reading_order, segments, without_running_lines
from ingestion.readers.pdf_paragraphs import Headings, Passage, passages
from ingestion.readers.pdf_tables import drawn_tables
from ingestion.readers.plain import list_item
from ingestion.readers.repairs import Repairs
from ingestion.readers.wrapping import Hyphens

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
