"""Wrapped lines: joined again, with the words that a hyphen parts."""

import re
from collections.abc import Callable, Iterable, Sequence

_PARTED = re.compile(r"(?:^|\s)(\S*\w)-$")
_WORD = re.compile(r"[\w'’]+(?:-[\w'’]+)*")


class Hyphens:
    """Joins lines, deciding by the document's own words which hyphens are only those of a line end."""

    def __init__(self, lines: Iterable[str]) -> None:
        # What stands at the ends of a line may be half a word.
        self._words = {word.casefold() for line in lines for word in _WORD.findall(line)[1:-1]}

    def join(self, lines: Sequence[str]) -> str:
        """The lines as one."""
        joined: list[str] = []
        for line in lines:
            ended = self._ended(joined[-1], line) if joined else None
            if ended is None:
                joined += [" ", line] if joined else [line]
            else:
                joined[-1:] = [ended, line]
        return "".join(joined)

    def _ended(self, text: str, line: str) -> str | None:
        """How a line ends whose last word goes on in the next one; None where each word stands on one line."""
        match = _PARTED.search(text)
        following = _WORD.match(line)
        if match is None or following is None:
            return None
        first, second = match[1].casefold(), following[0].casefold()
        if f"{first}-{second}" in self._words or not following[0][0].islower() or not first[-1].isalpha():
            return text
        compound = f"{first}{second}" not in self._words and {first, second} <= self._words
        return text if compound else text[:-1]


_SLACK = 0.85
_NARROWEST = 45
"""Fewest characters of a column that prose is set in; shorter lines are short on purpose."""


def join_wrapped(paragraph: str, join: Callable[[Sequence[str]], str]) -> str:
    """Join the wrapped lines of a paragraph, so that its sentences are whole.

    A break stays where it was not forced by the width: after a line that had room for the next word, before a line
    that starts anew. An empty line is a break the author asked for.

    Args:
        paragraph: Its lines.
        join: Makes lines that were one a line again.
    """
    return "\n".join(join(run) for part in paragraph.split("\n\n") for run in _runs(part))


def _runs(part: str) -> list[list[str]]:
    """The lines of a text, those together that were one."""
    lines = [" ".join(line.split()) for line in part.split("\n") if line.strip()]
    width = max(_NARROWEST, *map(len, lines)) * _SLACK if lines else 0.0
    runs: list[list[str]] = []
    for line in lines:
        if runs and _continues(runs[-1][-1], line, width):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _continues(previous: str, line: str, width: float) -> bool:
    if line[0].islower() or previous.endswith((",", "-")):
        return True
    return len(previous) + 1 + len(line.split(" ", 1)[0]) > width
