"""Classes of words by which questions are read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graph.language.locale import table, word_class

ARTICLES = word_class("articles")
DEFINITE = word_class("definite")
INDEFINITE = word_class("indefinite")
PRONOUNS = word_class("pronouns")
AUXILIARIES = word_class("auxiliaries")
PREPOSITIONS = word_class("prepositions")
CONJUNCTIONS = word_class("conjunctions")
QUESTION_WORDS = word_class("question_words")
FUNCTION_WORDS = (
    ARTICLES
    | DEFINITE
    | INDEFINITE
    | PRONOUNS
    | AUXILIARIES
    | PREPOSITIONS
    | CONJUNCTIONS
    | QUESTION_WORDS
    | word_class("particles")
)
"""All of them, and particles."""
REQUEST_VERBS = word_class("request_verbs")
BE = word_class("be")
MODALS = word_class("modals")
OWNERS = word_class("owners")
DEMONSTRATIVES = word_class("demonstratives")
_REMEMBERED = 8192
"""Words whose classes are kept: reading a conversation asks for the same ones again and again."""

_IRREGULAR = word_class("irregular")
_DOUBLING = re.compile(r"\A[^aeiou]*[aeiou][bdgklmnprtv]")
_PARTICIPLE = re.compile(r"\A\w{4,}(?:ed|ing)")


@lru_cache(maxsize=_REMEMBERED)
def is_verb(word: str) -> bool:
    """Whether a word may be a form of a verb; many may be nouns, too."""
    return word in _verbs() or (word.endswith("ed") and bool(_PARTICIPLE.fullmatch(word)))


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    return _IRREGULAR.union(*map(_forms, word_class("verbs")))


def _forms(verb: str) -> set[str]:
    """The regular forms of a verb."""
    if verb.endswith("e"):
        return {verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"}
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return {verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"}
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
    stem = verb + verb[-1] if _DOUBLING.fullmatch(verb) else verb
    return {verb, third, f"{verb}ed", f"{verb}ing", f"{stem}ed", f"{stem}ing"}


PRICE = "price"
"""What a shop states of every product, whatever its attributes are called."""
MOST, LEAST = 1, -1
DEGREES: Mapping[str, int] = dict.fromkeys(word_class("more"), MOST) | dict.fromkeys(word_class("less"), LEAST)
"""Words for more or less of what is named beside them."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What an adjective measures.

    Attributes:
        names: Ways to name an attribute that it measures, best first, each with the direction that is meant.
        open: Whether it may measure anything that is named beside it ("the longest battery life").
    """

    names: tuple[tuple[str, int], ...]
    open: bool = False


def _graded(entry: Mapping[str, Any]) -> Graded:
    signs = {"+": MOST, "-": LEAST}
    names = tuple((name[1:], signs[name[0]]) for name in entry["names"])
    return Graded(names, bool(entry.get("open")))


ADJECTIVES: Mapping[str, Graded] = {name: _graded(entry) for name, entry in table("adjectives").items()}
"""Adjectives of any shop; what no product of a category states, they do not rank."""


def _inflected(adjective: str, ending: str) -> str:
    adjective = f"{adjective[:-2]}y" if adjective.endswith("ey") else adjective
    if adjective.endswith("e"):
        return adjective + ending.removeprefix("e")
    if adjective.endswith("y") and adjective[-2] not in "aeiou":
        return f"{adjective[:-1]}i{ending}"
    doubled = adjective[-1] in "bdgmnpt" and adjective[-2] in "aeiou" and adjective[-3] not in "aeiou"
    return f"{adjective}{adjective[-1] if doubled else ''}{ending}"


SUPERLATIVES: Mapping[str, str] = {_inflected(adjective, "est"): adjective for adjective in ADJECTIVES} | {
    "latest": "new"
}
"""Superlative in -est to its adjective; those that take "most" are in it, too, and harm nothing."""
COMPARATIVES: Mapping[str, str] = {_inflected(adjective, "er"): adjective for adjective in ADJECTIVES}
"""Comparative in -er to its adjective."""
_BY_MOST = frozenset(adjective for adjective in ADJECTIVES if len(adjective) > len("narrow"))


GRADABLE = frozenset(ADJECTIVES) - _BY_MOST
"""Adjectives that are inflected; other words in -er, such as `charger`, name things."""


def positive(word: str) -> str:
    """The plain form of a comparative that asks for an attribute: `heavier` and `heaviest` ask as `heavy` does."""
    return COMPARATIVES.get(word) or SUPERLATIVES.get(word, word)


def superlative_of(adjective: str) -> str:
    """The superlative of an adjective as it is written: `lightest`, `most expensive`."""
    return f"most {adjective}" if adjective in _BY_MOST else _inflected(adjective, "est")
