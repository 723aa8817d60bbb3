"""Terms: the stemmed content words by which questions and evidence are compared; and words where they stand."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import BeforeValidator

from graph.language.locale import word_class
from ingestion.stems import stem

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?", re.UNICODE)
"""A number with its separators, or a word with its apostrophe; letters and digits part ("128gb")."""

THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
REMEMBERED = 16384
"""Texts whose words are kept: the evidence of a product is read again for every intent and turn."""

_ENDINGS = ("'s", "'ve", "'d", "'ll", "'re", "'m", "n't", "'t")


_CLAUSES = re.compile(r"(?=[,;] )|(?= (?:and|but|while|with|plus) )")


def clauses_of(text: str) -> tuple[str, ...]:
    """A statement cut before what joins its clauses, and the like ("with a lid"); joined, the pieces are the text."""
    return tuple(filter(None, _CLAUSES.split(text)))


def with_contractions(listed: Iterable[str]) -> frozenset[str]:
    """Words, and each with a verb or a no contracted behind it: "you've", "couldn't"."""
    return frozenset(word + ending for word in listed for ending in ("", *_ENDINGS))


STOPWORDS = with_contractions(word_class("stopwords"))
Stems = Annotated[frozenset[str], BeforeValidator(lambda listed: frozenset(map(stem, listed)))]
"""Words of a table, by their stems."""


def fold(text: str) -> str:
    """Lower-case text without accents."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def words(text: str) -> list[str]:
    """Folded words and numbers of a text, in order; thousands separators are dropped."""
    return list(_words(text))


@lru_cache(maxsize=REMEMBERED)
def _words(text: str) -> tuple[str, ...]:
    return tuple(THOUSANDS.sub("", word) if "," in word else word for word in WORD.findall(fold(text)))


@lru_cache(maxsize=REMEMBERED)
def terms(text: str) -> tuple[str, ...]:
    """Stems of the content words of a text, in order, with repetitions."""
    return tuple(stem(word) for word in _words(text) if word not in STOPWORDS)


@lru_cache(maxsize=REMEMBERED)
def stems(text: str) -> frozenset[str]:
    """Stems of all words of a text."""
    return frozenset(map(stem, _words(text)))


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


LONGEST = 300
"""Characters of a name that are looked for; what is longer is known by its beginning."""


@lru_cache(maxsize=2048)
def name_pattern(name: str, before: str = r"(?<!\w)", behind: str = r"(?!\w)") -> re.Pattern[str]:
    """The pattern of a whole name, in any case.

    Args:
        name: The name.
        before: Pattern of what stands before it; by itself, nothing that continues a word.
        behind: Pattern of what stands behind it.
    """
    return re.compile(rf"(?i){before}{re.escape(name[:LONGEST])}{behind}")
