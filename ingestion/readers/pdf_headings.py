"""The headings of a PDF: by its outline, and by larger or bold letters."""

import re
from collections import Counter
from collections.abc import Sequence

from ingestion.readers.pdf_page import Bookmark
from ingestion.readers.pdf_paragraphs import Passage

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
        self._outline = {(_folded(mark.title), mark.page): mark.level for mark in outline}
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
        for page in (passage.page, passage.page - 1, passage.page + 1, None):
            if (level := self._outline.get((_folded(passage.text), page))) is not None:
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
