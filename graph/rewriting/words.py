"""Words of a question with their places, and edits that leave all other words alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph.language.lexicon import FUNCTION_WORDS
from graph.language.terms import fold
from ingestion.evidence import Product

_WORD = re.compile(r"\w+(?:['’\-.]\w+)*")
_ENDINGS = " \t\r\n?.!…"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is compared, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a text, and what takes its place."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=256)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text, folded, with straight apostrophes."""
    return tuple(
        Word(fold(match.group()).replace("’", "'"), match.start(), match.end()) for match in _WORD.finditer(text)
    )


def content_words(text: str) -> set[str]:
    """The words of a question that carry its content."""
    return {word.text.split("'")[0] for word in words_of(text)} - FUNCTION_WORDS


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap; a text begins as it did, with a capital or without."""
    result = text
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        result = result[: edit.start] + edit.text + result[edit.end :]
    return result


def appended(text: str, phrase: str, joint: str = " ") -> str:
    """A question with a phrase before its closing punctuation."""
    body = text.rstrip(_ENDINGS)
    ending = text[len(body) :].strip()
    return f"{body}{joint}{phrase}{ending}"


def naming(text: str, products: Sequence[Product]) -> str:
    """A question with the products that it is about, at its end."""
    return appended(text, f"for {' and '.join(product.name for product in products)}")


def as_question(text: str) -> str:
    """A sentence with its first letter large and a question mark."""
    body = text.strip(_ENDINGS)
    return f"{body[:1].upper()}{body[1:]}?"


def lowered(text: str) -> str:
    """A text with its first letter small, unless it begins with an abbreviation."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
