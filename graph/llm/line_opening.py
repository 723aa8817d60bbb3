"""What a line of a model's answer is, as soon as its first characters tell."""

import re
from dataclasses import dataclass
from typing import Literal

LineKind = Literal[
    "paragraph", "bullet", "step", "heading", "row", "outcome", "missing", "sources", "fence", "thoughts", "blank"
]
WHOLE_LINES = frozenset({"row", "outcome", "missing", "sources", "fence", "blank"})
"""Kinds that are read when their line is over; the others are read as they come."""

_QUOTED = re.compile(r"(?:>\s*)+")
_ITEM = re.compile(r"(?:(?P<bullet>[-–—*+•‣◦▪·])|(?P<step>\d{1,3}[.)])|(?P<heading>#{1,6}))\s")
_PARTIAL_ITEM = re.compile(r"[-–—*+•‣◦▪·]|\d{1,3}[.)]?|#{1,6}")
_MARKS: dict[str, LineKind] = {"```": "fence", "~~~": "fence", "<think>": "thoughts"}
_KEYWORDS: dict[str, LineKind] = {
    "outcome": "outcome",
    "missing": "missing",
    "source": "sources",
    "sources": "sources",
    "reference": "sources",
    "references": "sources",
    "citations": "sources",
}
_KEYED = re.compile(rf"({'|'.join(_KEYWORDS)})\s*[:：]")  # noqa: RUF001 - a full-width colon is meant
_DECORATION = re.compile(r"[*_`]")


@dataclass(frozen=True, slots=True)
class Opening:
    """What a line is.

    Attributes:
        kind: Its kind.
        rest: What was read of it beyond the mark of its kind; all of it for kinds that are read as a whole.
    """

    kind: LineKind
    rest: str


def opening_of(head: str, *, complete: bool) -> Opening | None:
    """Tell what a line is.

    Args:
        head: Its first characters.
        complete: Whether these are all of them.

    Returns:
        What it is, or None when further characters decide.
    """
    text = _QUOTED.sub("", head.lstrip(), count=1) if head.lstrip().startswith(">") else head.lstrip()
    if not text:
        return Opening("blank", "") if complete else None
    if text[0] == "|":
        return Opening("row", text)
    if not complete and _PARTIAL_ITEM.fullmatch(text):
        return None
    item = _ITEM.match(f"{text} " if complete else text)
    if item is not None:
        return _item(item.lastgroup, text[item.end() :], complete=complete)
    for mark, kind in _MARKS.items():
        if text[: len(mark)].lower() == mark:
            return Opening(kind, text[len(mark) :])
    return _keyed(text, "paragraph", complete=complete)


def _item(group: str | None, rest: str, *, complete: bool) -> Opening | None:
    if group == "heading":
        return _keyed(rest.lstrip(), "heading", complete=complete)
    return Opening("bullet" if group == "bullet" else "step", rest)


def _keyed(text: str, kind: LineKind, *, complete: bool) -> Opening | None:
    """A line by its first word; `kind` when that is no keyword."""
    bare = _DECORATION.sub("", text).casefold()
    keyed = _KEYED.match(bare)
    if keyed is not None:
        return Opening(_KEYWORDS[keyed[1]], text)
    word = bare.strip()
    if complete:
        return Opening("sources" if _KEYWORDS.get(word) == "sources" else kind, text)
    unsure = any(one.startswith(word) for one in (*_KEYWORDS, *_MARKS))
    return None if unsure else Opening(kind, text)
