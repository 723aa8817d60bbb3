"""Negation: the words by which a text says no, or leaves something out."""

import re
from functools import lru_cache

from graph.language.locale import phrases, word_class
from graph.language.terms import words

NEGATIONS = word_class("negations")
NEGATED_VALUE = re.compile(r"(?i):\s*(?:no|none|false|n)\b(?!\s+\w)")
"""The value of an entry that says no of all before it: `Cover: N`."""
_OPENING = frozenset("no none not without".split())
_NEGATIVE_PREFIX, _LEAST = "un", 6
"""A word of so many letters that begins so may be the opposite of another: unheated."""


def is_negation(word: str) -> bool:
    """Whether a word says no: one of them, or an auxiliary with `n't`."""
    return word in NEGATIONS or word.endswith(("n't", "n’t"))


@lru_cache(maxsize=4096)
def denies(text: str) -> bool:
    """Whether a text says no of anything."""
    return any(map(is_negation, words(text)))


def excludes(text: str) -> bool:
    """Whether a text says no of anything, or leaves something out: `plastic-free`, `except in winter`."""
    return denies(text) or phrases("exclusions").search(text) is not None


def may_deny(text: str) -> bool:
    """Whether anything in a text may be read as a no: `sold out`, `unheated`, `Cover: N`."""
    opposed = any(word.startswith(_NEGATIVE_PREFIX) and len(word) >= _LEAST for word in words(text))
    return opposed or excludes(text) or any(one.search(text) for one in (NEGATED_VALUE, phrases("denying")))


def opens_with_no(text: str) -> bool:
    """Whether a text begins by saying no: `none`, `without a lid`."""
    return next(iter(words(text)), "") in _OPENING
