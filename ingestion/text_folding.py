"""Folding: how text from outside is made to hold no more than a person writes, and how long each kind of it may be.

Everything below this door may then take time in proportion to a text's length: no run in it is longer than
`LONGEST_RUN`, and no text longer than the limit of its kind; how much a file or a row may hold stands in
`ingestion.limits`.
"""

import re

LONGEST_RUN = 100
"""Most times that one character stands in a row, and most white space; no word, number or rule of a page has more."""
NAME_LIMIT = 500
"""Characters of a name, a title, an id, a region, a membership."""
CELL_LIMIT = 4_000
"""Characters of a value that is shown on one line: an attribute, an address, a description of a document."""
LIVE_FACT_LIMIT = 2_000
"""Characters of what a live backend says in one fact."""
MODEL_OUTPUT_LIMIT = 100_000
"""Characters of what a language model writes in one request, whatever number of tokens it was allowed."""

_SPACE = re.compile(rf"(?<!\s)\s{{{LONGEST_RUN + 1},}}+")
_REPEATED = re.compile(rf"(.)\1{{{LONGEST_RUN},}}+", re.DOTALL)
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


def fold_runs(text: str) -> str:
    """A text without the part of its runs, of one character or of white space, that goes beyond `LONGEST_RUN`."""
    if len(text) <= LONGEST_RUN:
        return text
    return _REPEATED.sub(lambda run: run[1] * LONGEST_RUN, _SPACE.sub(_folded_space, text))


def _folded_space(run: re.Match[str]) -> str:
    """White space that means as much: a blank line, a line end or a space."""
    return ("\n\n" if "\n" in run[0].strip(" \t")[1:] else "\n") if "\n" in run[0] else " "


def too_long(length: int, limit: int) -> str:
    """What is said of a text that goes beyond the limit of its kind."""
    return f"has {length:,} characters; at most {limit:,} are read"


class StreamFolding:
    """Folds a text that comes piece by piece: no control characters, no run beyond `LONGEST_RUN` of one character.

    Attributes:
        length: Characters that came.
    """

    def __init__(self) -> None:
        self.length = 0
        self._last, self._run = "", 0

    def take(self, piece: str) -> str:
        """The next piece, folded."""
        self.length += len(piece)
        kept: list[str] = []
        for character in _UNWANTED.sub("", piece):
            self._run = self._run + 1 if character == self._last else 1
            self._last = character
            if self._run <= LONGEST_RUN:
                kept.append(character)
        return "".join(kept)
