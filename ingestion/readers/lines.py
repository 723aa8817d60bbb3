"""The lines of a text, none of them longer than a row may be."""

from collections.abc import Iterator
from typing import TextIO

from ingestion.limits import SETTING, ReadingLimits


def text_lines(stream: TextIO, limits: ReadingLimits) -> Iterator[str | None]:
    """The lines with their ends; None for one that is too long, which is passed over."""
    most = limits.row_characters
    while line := stream.readline(most):
        whole = len(line) < most or _ends(line)
        while not whole and (rest := stream.readline(most)):
            line, whole = "", len(rest) < most or _ends(rest)
        yield line if whole and line else None


def long_line(limits: ReadingLimits, what: str = "line") -> str:
    """What is wrong with a line that is too long."""
    return f"a {what} of more than {limits.row_characters:,} characters, ten cells of {SETTING}.cell_characters"


def _ends(line: str) -> bool:
    return line.endswith(("\n", "\r"))
