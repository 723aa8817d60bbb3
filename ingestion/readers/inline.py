"""The words of HTML's inline elements."""

import re

from bs4 import Tag
from bs4.element import PreformattedString

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
