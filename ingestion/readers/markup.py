"""HTML to plain-text blocks: the main content, without what a page repeats."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, Tag
from bs4.element import PreformattedString

from ingestion.readers.blocks import Outline, ParsedDocument
from ingestion.readers.cleaning import clean_lines, has_markup, unescape

_DROPPED = "script, style, noscript, template, svg, nav, footer, aside, head, iframe, form, button, dialog, [hidden]"
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4"
    " h5 h6 header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_HEADING = re.compile(r"h([1-6])")


def seller_prose(text: str) -> str:
    """A seller's text as plain lines: HTML elements and entities are resolved, other angle brackets stay."""
    if not has_markup(text):
        return clean_lines(unescape(text))
    outline = Outline()
    soup = BeautifulSoup(text, "lxml")
    _drop(soup)
    _Walker(outline).walk(soup)
    return clean_lines("\n".join("\n".join((*block.section[-1:], block.text)) for block in outline.blocks))


def parse_html(html: str) -> tuple[ParsedDocument, dict[str, str]]:
    """Read an HTML page.

    Returns:
        Its title and main content, and its `meta` description and keywords.
    """
    soup = BeautifulSoup(html, "lxml")
    meta = {
        name: str(tag["content"])
        for name in ("description", "keywords")
        if isinstance(tag := soup.find("meta", attrs={"name": name}), Tag) and tag.get("content")
    }
    heading = soup.find("h1")
    title = heading.get_text(" ", strip=True) if isinstance(heading, Tag) else ""
    title = title or (soup.title.get_text(" ", strip=True) if soup.title else "")
    outline = Outline()
    _Walker(outline).walk(_main_content(soup))
    return ParsedDocument(title or None, outline.blocks), meta


def _drop(tag: Tag) -> None:
    for part in tag.select(_DROPPED):
        part.decompose()


def _main_content(soup: BeautifulSoup) -> Tag:
    main = soup.select_one("main, [role=main]") or soup.select_one("article") or soup.body or soup
    _drop(main)
    if main is soup.body:
        for tag in main.find_all("header", recursive=False):
            tag.decompose()
    return main


@dataclass(slots=True)
class _Walker:
    """Walks an element tree and turns runs of inline content into paragraphs."""

    outline: Outline
    _inline: list[str] = field(default_factory=list)

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
        if tag.name not in _BLOCKS:
            self._inline.append(_inline_text(tag))
            return
        self._flush()
        if match := _HEADING.fullmatch(tag.name):
            self.outline.heading(int(match[1]), " ".join(_inline_text(tag).split()))
        elif tag.name in {"ul", "ol"}:
            self.outline.add("list", "\n".join(_list_lines(tag, 0)))
        elif tag.name == "table":
            self.outline.add("table", "\n".join(_table_lines(tag)))
        elif tag.name == "pre":
            self.outline.add("code", tag.get_text())
        elif tag.name == "dl":
            self.outline.add("list", "\n".join(_definition_lines(tag)))
        else:
            self._children(tag)
            self._flush()

    def _flush(self) -> None:
        text = "\n".join(_fold("".join(self._inline)))
        self._inline.clear()
        self.outline.add("paragraph", text)


def _fold(text: str) -> list[str]:
    r"""Fold white space; `\v` marks a line break that was asked for."""
    lines = (" ".join(line.split()) for line in text.split("\v"))
    return [line for line in lines if line]


def _inline_text(tag: Tag) -> str:
    if tag.name == "br":
        return "\v"
    if tag.name == "img":
        return str(tag.get("alt") or "")
    parts = (
        _inline_text(child) if isinstance(child, Tag) else "" if isinstance(child, PreformattedString) else str(child)
        for child in tag.children
    )
    text = "".join(parts)
    return f"\v{text}\v" if tag.name in _BLOCKS else text


def _list_lines(tag: Tag, depth: int) -> Iterator[str]:
    number = int(str(tag.get("start") or 1)) if str(tag.get("start") or 1).isdigit() else 1
    for item in tag.find_all("li", recursive=False):
        nested = [inner.extract() for inner in item.find_all(["ul", "ol"], recursive=False)]
        marker = f"{number}. " if tag.name == "ol" else "- "
        yield "  " * depth + marker + " ".join(_fold(_inline_text(item)))
        number += 1
        for inner in nested:
            yield from _list_lines(inner, depth + 1)


def _table_lines(tag: Tag) -> Iterator[str]:
    for row in tag.find_all("tr"):
        cells = [" ".join(_fold(_inline_text(cell))) for cell in row.find_all(["td", "th"], recursive=False)]
        if any(cells):
            yield " | ".join(cells)


def _definition_lines(tag: Tag) -> Iterator[str]:
    term = ""
    for child in tag.find_all(["dt", "dd"]):
        text = " ".join(_fold(_inline_text(child)))
        if child.name == "dt":
            term = text.rstrip(":")
        else:
            yield f"{term}: {text}" if term else f"- {text}"
