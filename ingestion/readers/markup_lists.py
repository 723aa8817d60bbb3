"""HTML lists to lines: an item a line, with its number, what it holds below it."""

from collections.abc import Iterator

from bs4 import Tag
from bs4.element import NavigableString, PreformattedString

from ingestion.readers.inline import BLOCKS, fold, inline_text
from ingestion.readers.markup_tables import table_lines

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
