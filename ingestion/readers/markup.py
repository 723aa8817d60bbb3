"""HTML elements to plain-text blocks: prose, headings, lists and tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from bs4 import BeautifulSoup, Tag
from bs4.element import PreformattedString

from ingestion.readers.blocks import Outline, is_heading, list_item
from ingestion.readers.cleaning import clean_lines, has_markup, unescape, without_comments

BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3"
    " h4 h5 h6 header hr html legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_RAISABLE = re.compile(r"[0-9+-]{1,4}")
_BACK_LINK = re.compile(r"[↑↩^]\ufe0e?")


def inline_text(tag: Tag) -> str:
    r"""The text of an element; `\v` marks a line break that was asked for."""
    if tag.name == "br":
        return "\v"
    if tag.name == "img":
        return str(tag.get("alt") or "")
    parts = (
        inline_text(child) if isinstance(child, Tag) else "" if isinstance(child, PreformattedString) else str(child)
        for child in tag.children
    )
    text = "".join(parts)
    if tag.name == "sup":
        return _raised(tag, text)
    if tag.name == "a" and _BACK_LINK.fullmatch(text.strip()):
        return ""
    if tag.name == "q":
        return f"“{text.strip()}”"
    return f"\v{text}\v" if tag.name in BLOCKS else text


def _raised(tag: Tag, text: str) -> str:
    """Keep a raised number apart from the number before it, and leave out a link to a footnote."""
    link = tag.find("a")
    if isinstance(link, Tag) and str(link.get("href", "")).startswith("#"):
        return ""
    return text.strip().translate(_RAISED) if _RAISABLE.fullmatch(text.strip()) else text


def fold(text: str) -> list[str]:
    r"""Fold white space into lines; `\v` marks a line break that was asked for."""
    lines = (" ".join(line.split()) for line in text.split("\v"))
    return [line for line in lines if line]


_MAX_SPAN = 100


def is_layout(tag: Tag) -> bool:
    """Whether a table only arranges a page: it holds headings, mostly tables, or never more than one cell a row."""
    if tag.get("role") in {"presentation", "none"} or tag.find(["h1", "h2", "h3", "h4"]):
        return True
    inner = sum(len(table.get_text()) for table in tag.find_all("table") if table.find_parent("table") is tag)
    cells = [len(row.find_all(["td", "th"], recursive=False)) for row in _rows(tag)]
    return inner > len(tag.get_text()) / 2 or max(cells, default=0) < 2  # noqa: PLR2004 - a table has columns


def table_lines(tag: Tag) -> Iterator[str]:
    """The rows of a table, cells parted by ` | `."""
    hanging: dict[int, tuple[int, str]] = {}
    for row in _rows(tag):
        texts = _with_hanging(row.find_all(["td", "th"], recursive=False), hanging)
        if any(texts):
            yield " | ".join(texts).rstrip(" |")


def _rows(tag: Tag) -> list[Tag]:
    return [row for row in tag.find_all("tr") if row.find_parent("table") is tag]


def _with_hanging(cells: list[Tag], hanging: dict[int, tuple[int, str]]) -> list[str]:
    """A row's texts by column, with those of cells that hang down into it from rows above."""
    texts: list[str] = []

    def take_hanging() -> None:
        while len(texts) in hanging:
            rows, text = hanging.pop(len(texts))
            if rows > 1:
                waiting[len(texts)] = (rows - 1, text)
            texts.append(text)

    waiting: dict[int, tuple[int, str]] = {}
    for cell in cells:
        take_hanging()
        text = " ".join(fold(inline_text(cell)))
        rows = _span(cell, "rowspan")
        for number in range(_span(cell, "colspan")):
            own = "" if number else text
            if rows > 1:
                waiting[len(texts)] = (rows - 1, own)
            texts.append(own)
    take_hanging()
    hanging |= waiting
    return texts


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name) or 1)
    return min(int(value), _MAX_SPAN) if value.isdigit() and int(value) else 1


_LISTS = frozenset({"ul", "ol", "menu"})
_ALPHABET = 26


def list_lines(tag: Tag, depth: int = 0) -> Iterator[str]:
    """The lines of a list; also of one that holds more than items."""
    start = str(tag.get("start") or 1)
    number = int(start) if start.lstrip("-").isdigit() else 1
    for child in tag.children:
        if not isinstance(child, Tag):
            text = "" if isinstance(child, PreformattedString) else str(child)
            yield from ("  " * depth + line for line in fold(text))
        elif child.name == "li":
            value = str(child.get("value") or "")
            number = int(value) if value.isdigit() else number
            yield from _item_lines(child, depth, _marker(tag, child, number))
            number += 1
        elif child.name in _LISTS:
            yield from list_lines(child, depth + 1)
        elif child.find("li"):
            yield from list_lines(child, depth)
        else:
            yield from ("  " * depth + line for line in fold(inline_text(child)))


def _marker(tag: Tag, item: Tag, number: int) -> str:
    if tag.name != "ol":
        return "- "
    style = str(item.get("type") or tag.get("type") or "1")
    if style not in {"a", "A"} or not 0 < number <= _ALPHABET:
        return f"{number}. "
    return f"{chr(ord(style) + number - 1)}. "


def _item_lines(item: Tag, depth: int, marker: str) -> Iterator[str]:
    """An item's text beside its marker; what is structured in it, and what follows that, on lines below."""
    outline = Outline()
    add_blocks(item, outline)
    lines: list[str] = []
    for prose, group in groupby(outline.lines(), key=lambda one: one[0] == "paragraph"):
        texts = [text for _, text in group]
        lines += [" ".join(" ".join(texts).split())] if prose else texts
    for number, line in enumerate(lines):
        yield "  " * depth + (f"  {line}" if number else marker + line.strip())


def definition_lines(tag: Tag) -> Iterator[str]:
    """Lines `term: definition`; several terms of one definition stand together."""
    terms: list[str] = []
    defined = False
    for child in tag.find_all(["dt", "dd"]):
        if child.find_parent("dl") is not tag:
            continue
        text = " ".join(fold(inline_text(child)))
        if child.name == "dt":
            terms = [text.rstrip(":")] if defined or not terms else [*terms, text.rstrip(":")]
            defined = False
        elif text:
            defined = True
            yield f"{', '.join(terms)}: {text}" if terms else f"- {text}"
    if terms and not defined:
        yield ", ".join(terms)


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
    soup = parsed(text)
    drop_unread(soup)
    outline = Outline()
    add_blocks(soup, outline)
    return clean_lines("\n".join(line for _, line in outline.lines()))


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
            self.outline.heading(int(match[1]), " ".join(inline_text(tag).split()))
        elif tag.name in _LISTS:
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
