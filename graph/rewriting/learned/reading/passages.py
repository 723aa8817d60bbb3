"""Passages: what was said and what the open page is titled, cut into the words that rewrites are made of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

Source = Literal["title", "section", "user", "assistant"]

WORD = re.compile(r"\w+")
_PARENTHESES = re.compile(r"(?:(?<!\s)\s+)?\(([^)]{0,500})\)")
_SENTENCE_END = re.compile(r"(?<=[^.]\w[.?!])\s+(?=[A-Z\"'(])")
_NO_ANSWER = re.compile(r"^\W*i (?:do not|don'?t) know\W*$", re.IGNORECASE)
_UNANSWERED = "CANNOTANSWER"
"""How QuAC's answers say that there is none."""

_JOINED = re.compile(r"[ '’\-./&]*|\s+")
MAX_AGE = 20
"""Age of what was never said."""


class Said(Protocol):
    """Something that was said; whoever is not `user` answers."""

    @property
    def role(self) -> str:
        """Who said it."""
        ...

    @property
    def content(self) -> str:
        """What was said."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A text and its words; the same object for the same text, so that what is read of it is cached cheaply.

    Attributes:
        raw: The text.
        source: Whose it is.
        age: How many exchanges ago it was said, 1 for the last one; 0 for the open page and the question itself.
        words: Its words as written.
        lower: The same, lower-cased.
        places: Start and end of each word, in code points.
    """

    raw: str
    source: Source
    age: int
    words: tuple[str, ...]
    lower: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def text(self, start: int, end: int) -> str:
        """The text from one word up to before another."""
        last = self.places[end - 1][1]
        abbreviated = len(self.words[end - 1]) == 1 and self.capital(end - 1) and self.raw[last : last + 1] == "."
        return self.raw[self.places[start][0] : last + abbreviated]

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
def read_passage(raw: str, source: Source, age: int) -> Passage:
    """Cut a text into words."""
    found = list(WORD.finditer(raw))
    words = tuple(match.group() for match in found)
    return Passage(
        raw, source, age, words, tuple(word.lower() for word in words), tuple(match.span() for match in found)
    )


@lru_cache(maxsize=1024)
def sentences_of(passage: Passage) -> tuple[Passage, ...]:
    """The sentences of a passage, each a passage of its own."""
    return tuple(
        read_passage(sentence, passage.source, passage.age) for sentence in _SENTENCE_END.split(passage.raw) if sentence
    )


def read_passages(history: Sequence[Said], context: Sequence[str]) -> list[Passage]:
    """The open page's titles, then what was said, oldest first."""
    return [*_page(context), *_talk(history)]


def _page(context: Sequence[str]) -> list[Passage]:
    """Titles without their parentheses, which follow as passages of their own ("The Wallflowers (band)")."""
    read = []
    for index, title in enumerate(context):
        body = _PARENTHESES.sub("", title).strip() or title
        read.append(read_passage(body, "section" if index else "title", 0))
        read.extend(read_passage(inner, "section", 0) for inner in _PARENTHESES.findall(title) if body != title)
    return read


def _talk(history: Sequence[Said]) -> list[Passage]:
    read: list[Passage] = []
    age, later = 0, "user"
    for said in reversed(history):
        source: Source = "user" if said.role == "user" else "assistant"
        if source == "assistant" or later == "user":
            age += 1
        later = source
        content = said.content.replace(_UNANSWERED, "")
        read.append(read_passage("" if _NO_ANSWER.match(content) else content, source, age))
    return read[::-1]
