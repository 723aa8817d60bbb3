"""Joining lines of a text that was set in lines, and the words that were parted between them."""

import re
from collections.abc import Iterable, Sequence

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
