"""HTML elements to plain-text blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement, PreformattedString

from ingestion.readers.blocks import Outline
from ingestion.readers.cleaning import clean_lines, has_markup, unescape, without_comments
from ingestion.readers.headings import is_heading
from ingestion.readers.markup_lists import (
    BLOCKS,
    definition_lines,
    fold,
    inline_text,
    is_layout,
    list_lines,
    table_lines,
)
from ingestion.readers.plain import list_item

_UNREAD = (
    "script, style, noscript, template, svg, title, meta, link, base, iframe, object, canvas, audio, video, dialog,"
    " input, select, textarea, del, s, strike, nav, footer, [hidden], [aria-hidden=true]"
)
"""What is no text, is struck out, is not shown, or stands beside the text."""
_NO_SIZE = re.compile(r"\A0(?:\.0{1,9})?(?:px|pt|r?em|%)?\Z")
_OFF_PAGE = re.compile(r"\A-(?:\d{4,9}\s?px|\d{3,9}\s?(?:r?em|v[wh]|%))")
_OFFSETS = ("left", "right", "top", "bottom", "text-indent", "margin")
_GROUNDS = frozenset({"background", "background-color"})
_HEADING = re.compile(r"h([1-6])")
_BOLD = frozenset({"b", "strong"})
_BOLD_LEVEL = 7
"""Level of a line in bold that heads what follows: below every marked heading."""
_SUMMARY_LEVEL = 8
_DEEPEST = 150
"""Elements in one another, some three times as many as pages have; what is asked of each takes time by its depth."""


def seller_prose(text: str) -> str:
    """A seller's text as plain lines: HTML elements and entities are resolved, other angle brackets stay."""
    if not has_markup(text):
        return clean_lines(unescape(without_comments(text)))
    outline = Outline()
    add_fragment(text, outline)
    lines: list[str] = []
    section: tuple[str, ...] = ()
    for block in outline.blocks:
        if block.section[-1:] not in {section[-1:], (block.text,)}:
            lines += block.section[-1:]
        section = block.section
        lines.append(block.text)
    return clean_lines("\n".join(lines))


def parsed(html: str) -> BeautifulSoup:
    """The element tree of a page or a piece of one.

    Raises:
        RecursionError: Its elements stand in one another more than `_DEEPEST` deep.
    """
    soup = BeautifulSoup(html, "lxml")
    depths = {id(soup): 0}
    for element in soup.descendants:
        if isinstance(element, Tag):
            depths[id(element)] = depth = depths[id(element.parent)] + 1
            if depth > _DEEPEST:
                message = f"its elements are nested more than {_DEEPEST} deep"
                raise RecursionError(message)
    return soup


def add_fragment(text: str, outline: Outline) -> None:
    """Add a piece of HTML to a document."""
    soup = parsed(text)
    drop_unread(soup)
    add_blocks(soup, outline)


def drop_unread(tag: Tag) -> None:
    """Take out what a reader of the page does not see as its text."""
    for part in tag.select(_UNREAD):
        part.decompose()
    for part in tag.select("[style]"):
        if not part.decomposed and _is_invisible(str(part["style"])):
            part.decompose()
    for part in tag.select("button"):
        # The questions of a folded list of answers are buttons inside headings.
        if part.find_parent(re.compile("h[1-6]|summary|dt|legend")):
            part.unwrap()
        else:
            part.decompose()


def hides(opening: str) -> bool:
    """Whether a reader of the page does not see what stands between an opening tag and its end."""
    found = BeautifulSoup(opening, "html.parser").find()
    return isinstance(found, Tag) and (
        found.name in {"script", "style", "template"}
        or "hidden" in found.attrs
        or found.get("aria-hidden") == "true"
        or _is_invisible(str(found.get("style", "")))
    )


def _is_invisible(style: str) -> bool:
    """Whether a style shows nothing, in no size or in the colour of its ground, or moves off the page."""
    pairs = (part.partition(":") for part in style.casefold().split(";"))
    declared = [(name.strip(), value.partition("!")[0].strip()) for name, _, value in pairs]
    grounds = {value for name, value in declared if name in _GROUNDS and value}
    return any(_hides(name, value) or (name == "color" and value in grounds) for name, value in declared)


def _hides(name: str, value: str) -> bool:
    """Whether one declaration of a style, in small letters, hides what it is for."""
    if name in {"opacity", "font-size"}:
        return _NO_SIZE.match(value) is not None
    hiding = {"display": "none", "visibility": "hidden", "color": "transparent"}.get(name)
    if hiding is not None:
        return value.startswith(hiding)
    return name.endswith(_OFFSETS) and _OFF_PAGE.match(value) is not None


def add_blocks(tag: Tag, outline: Outline) -> None:
    """Add what an element holds to a document."""
    _Walker(outline).walk(tag)


@dataclass(slots=True)
class _Walker:
    """Walks an element tree and turns runs of inline content into paragraphs."""

    outline: Outline
    _inline: list[str] = field(default_factory=list)
    _folded: int = 0

    def walk(self, tag: Tag) -> None:
        self._children(tag)
        self._flush()

    def _children(self, tag: Tag) -> None:
        for child in tag.children:
            if isinstance(child, Tag):
                self._element(child)
            elif not isinstance(child, PreformattedString):
                self._inline.append(str(child))

    def _element(self, tag: Tag) -> None:
        if tag.name not in BLOCKS:
            if tag.find(list(BLOCKS)):
                self._children(tag)
            else:
                self._inline.append(inline_text(tag))
            return
        self._flush()
        if match := _HEADING.fullmatch(tag.name):
            self._heading(tag, int(match[1]))
        elif tag.name in {"ul", "ol", "menu"}:
            self.outline.add("list", "\n".join(list_lines(tag)))
        elif tag.name == "table" and not is_layout(tag):
            self._table(tag)
        elif tag.name == "pre":
            self.outline.add("code", tag.get_text())
        elif tag.name == "dl":
            self.outline.add("list", "\n".join(definition_lines(tag)))
        elif tag.name == "details":
            self._details(tag)
        else:
            self._prose(tag)

    def _heading(self, tag: Tag, level: int) -> None:
        """Open a section; blocks in a heading are content that follows one which was not closed."""
        held = next((child for child in tag.children if _is_block(child)), None)
        following = [] if held is None else [held, *held.next_siblings]
        for child in following:
            child.extract()
        self.outline.heading(level, " ".join(inline_text(tag).split()))
        for child in following:
            tag.append(child)
            if isinstance(child, Tag):
                self._element(child)
            else:
                self._inline.append(str(child))

    def _prose(self, tag: Tag) -> None:
        if (title := _bold_line(tag)) and is_heading(title):
            self.outline.heading(_BOLD_LEVEL, title)
        self._children(tag)
        self._flush()

    def _table(self, tag: Tag) -> None:
        for caption in tag.find_all("caption"):
            self.outline.add("paragraph", " ".join(fold(inline_text(caption))))
        self.outline.add("table", "\n".join(table_lines(tag)))

    def _details(self, tag: Tag) -> None:
        """A text that unfolds below its summary is a section of that name."""
        summary = tag.find("summary", recursive=False)
        level = _SUMMARY_LEVEL + self._folded
        name = ""
        if isinstance(summary, Tag):
            name = " ".join(inline_text(summary.extract()).split())
        before = len(self.outline.blocks)
        self.outline.heading(level, name)
        self._folded += 1
        self._children(tag)
        self._flush()
        self._folded -= 1
        self.outline.heading(level, "")
        if len(self.outline.blocks) == before:
            self.outline.add("paragraph", name)

    def _flush(self) -> None:
        """Add what was gathered: lines, of which those with a marker are a list."""
        run: list[str] = []
        listed = False
        for line in fold("".join(self._inline)):
            item = list_item(line)
            if run and (item is not None) != listed:
                self.outline.add("list" if listed else "paragraph", "\n".join(run))
                run = []
            listed = item is not None
            run.append(item or line)
        self._inline.clear()
        self.outline.add("list" if listed else "paragraph", "\n".join(run))


def _is_block(element: PageElement) -> bool:
    return isinstance(element, Tag) and (element.name in BLOCKS or element.find(list(BLOCKS)) is not None)


def _bold_line(tag: Tag) -> str | None:
    """The text of a paragraph that is one line, all of it bold."""
    inner: Tag = tag
    while True:
        children = [child for child in inner.children if isinstance(child, Tag) or str(child).strip()]
        if len(children) != 1 or not isinstance(children[0], Tag):
            return None
        inner = children[0]
        if inner.name in _BOLD:
            lines: Iterator[str] = iter(fold(inline_text(inner)))
            first = next(lines, None)
            return first if next(lines, None) is None else None
        if inner.name not in {"span", "font", "u", "em", "i", "a"}:
            return None
