"""Words of a text as they are written, each with its place."""

import re
from dataclasses import dataclass
from functools import lru_cache

from graph.language.terms import fold

_WRITTEN = re.compile(r"\w+(?:['’\-.]\w+)*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is compared, and where it stands in its text, in code points."""

    text: str
    start: int
    end: int

    @property
    def base(self) -> str:
        """The word without what an apostrophe joins to it: "what" of "what's"."""
        return self.text.partition("'")[0]


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, folded, with straight apostrophes; a hyphen or a point within a word is part of it."""
    return tuple(
        Word(fold(match.group()).replace("’", "'"), match.start(), match.end()) for match in _WRITTEN.finditer(text)
    )
