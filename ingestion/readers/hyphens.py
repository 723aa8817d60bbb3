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
        joined = ""
        for line in lines:
            joined = self._append(joined, line)
        return joined

    def _append(self, text: str, line: str) -> str:
        match = _PARTED.search(text)
        following = _WORD.match(line)
        if match is None or following is None:
            return f"{text} {line}" if text else line
        first, second = match[1].casefold(), following[0].casefold()
        if f"{first}-{second}" in self._words or not following[0][0].islower() or not first[-1].isalpha():
            return text + line
        compound = f"{first}{second}" not in self._words and {first, second} <= self._words
        return text + line if compound else text[:-1] + line
