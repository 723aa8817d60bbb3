"""Passages: what was said, cut into words."""

import re
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"\w+")
_JOINED = re.compile(r"[ '’\-./&]*|\s+")


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A text and its words; the same object for the same text, so that what is read of it is cached cheaply.

    Attributes:
        raw: The text.
        words: Its words as written.
        lower: The same, lower-cased.
        places: Start and end of each word, in code points.
    """

    raw: str
    words: tuple[str, ...]
    lower: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def joined(self, index: int) -> bool:
        """Whether no punctuation that ends a phrase stands between a word and the next."""
        return _JOINED.fullmatch(self.raw[self.places[index][1] : self.places[index + 1][0]]) is not None

    def before(self, index: int) -> str:
        """The lower-cased word before one; "^" before the first."""
        return self.lower[index - 1] if index else "^"

    def after(self, index: int) -> str:
        """The lower-cased word at a place; "$" behind the last."""
        return self.lower[index] if index < len(self.lower) else "$"

    def capital(self, index: int) -> bool:
        """Whether a word begins with a capital."""
        return self.words[index][:1].isupper()

    def proper(self, index: int) -> bool:
        """Whether a word begins with a capital though it is not the first."""
        return index > 0 and self.capital(index)


@lru_cache(maxsize=1024)
def read_passage(raw: str) -> Passage:
    """Cut a text into words."""
    found = list(_WORD.finditer(raw))
    words = tuple(match.group() for match in found)
    return Passage(raw, words, tuple(word.lower() for word in words), tuple(match.span() for match in found))
