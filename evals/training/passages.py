"""A passage as the reader sees it: its words in single spaces, behind what names its source."""

import re

from ingestion.evidence import Evidence

_MARKS = re.compile(r"(?m)^ {0,9}(?:[-*•]|\d{1,3}[.)]) |[*`|]")


def plain(text: str) -> str:
    """A text without marks of lists, tables and emphasis, in single spaces."""
    return " ".join(_MARKS.sub(" ", text).split())


def as_read(item: Evidence, text: str) -> str:
    """A text of a source behind the source's title and section."""
    names = f"{item.title} > {item.section}" if item.section else item.title
    return f"{names}: {plain(text)}"
