"""Lists and tables of HTML as lines of text."""

import re
from collections.abc import Iterator

from bs4 import Tag
from bs4.element import NavigableString, PreformattedString

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
_STRUCTURED = [*_LISTS, "table", "dl", "pre"]
_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_ALPHABET = 26


def list_lines(tag: Tag, depth: int = 0) -> Iterator[str]:
    """The lines of a list; also of one that holds more than items."""
    start = str(tag.get("start") or 1)
    number = int(start) if start.lstrip("-").isdigit() else 1
    for child in tag.children:
        if not isinstance(child, Tag):
            yield from ("  " * depth + line for line in _plain_lines(child))
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


def _plain_lines(child: object) -> list[str]:
    return fold(str(child)) if isinstance(child, NavigableString) and not isinstance(child, PreformattedString) else []


def _marker(tag: Tag, item: Tag, number: int) -> str:
    if tag.name != "ol":
        return "- "
    style = str(item.get("type") or tag.get("type") or "1")
    written = _lettered(number, style.lower())
    return f"{written.upper() if style.isupper() else written}. "


def _lettered(number: int, style: str) -> str:
    if style == "a" and 0 < number <= _ALPHABET:
        return chr(ord("a") + number - 1)
    if style == "i" and 0 < number < 40:  # noqa: PLR2004 - no list of steps is longer
        roman = ""
        for value, letters in _ROMAN:
            roman += letters * (number // value)
            number %= value
        return roman
    return str(number)


def _item_lines(item: Tag, depth: int, marker: str) -> Iterator[str]:
    """An item's text beside its marker; what is structured in it, and what follows that, on lines below."""
    lines = list(_held_lines(item, depth + 1))
    if lines:
        yield "  " * depth + marker + lines[0].strip()
        yield from lines[1:]


def _held_lines(tag: Tag, depth: int) -> Iterator[str]:
    inline: list[str] = []

    def flush() -> Iterator[str]:
        text = " ".join(fold("".join(inline)))
        inline.clear()
        if text:
            yield "  " * depth + text

    for child in tag.children:
        if not isinstance(child, Tag):
            inline.append(" ".join(_plain_lines(child)) if not str(child).strip() else str(child))
        elif child.name in _STRUCTURED:
            yield from flush()
            yield from _structured_lines(child, depth)
        elif child.name in BLOCKS and child.find(_STRUCTURED):
            yield from flush()
            yield from _held_lines(child, depth)
        else:
            inline.append(inline_text(child))
    yield from flush()


def _structured_lines(tag: Tag, depth: int) -> Iterator[str]:
    if tag.name in _LISTS:
        yield from list_lines(tag, depth)
        return
    rows = {"table": table_lines, "dl": definition_lines}
    lines = rows[tag.name](tag) if tag.name in rows else iter(tag.get_text().split("\n"))
    yield from ("  " * depth + line for line in lines if line.strip())


def definition_lines(tag: Tag) -> Iterator[str]:
    """Lines `term: definition`; several terms of one definition stand together."""
    terms: list[str] = []
    defined = False
    for child in tag.find_all(["dt", "dd"]):
        if child.find_parent("dl") is not tag:
            continue
        # Those that were not closed hold the ones that follow.
        own = (part for part in child.children if not (isinstance(part, Tag) and part.name in {"dt", "dd"}))
        text = " ".join(fold("".join(inline_text(part) if isinstance(part, Tag) else str(part) for part in own)))
        if child.name == "dt":
            terms = [text.rstrip(":")] if defined or not terms else [*terms, text.rstrip(":")]
            defined = False
        elif text:
            defined = True
            yield f"{', '.join(terms)}: {text}" if terms else f"- {text}"
    if terms and not defined:
        yield ", ".join(terms)
