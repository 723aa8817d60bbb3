"""Negation: the words by which a text says no, or leaves something out."""

import re

from graph.language.locale import word_list

_WORDS = word_list("negations")
NEGATIONS = frozenset(_WORDS)
_DENIAL = re.compile(rf"(?i)\b(?:{'|'.join(word_list('negations'))})\b|n['’]t\b")
_EXCLUSION = re.compile(r"(?i)\b(?:except|exclud(?:es|ed|ing)|zero)\b|-free\b")
_OPENING = re.compile(r"(?i)\A\W*(?:no|none|not|without)\b")


def is_negation(word: str) -> bool:
    """Whether a word says no: one of them, or an auxiliary with `n't`."""
    return word in NEGATIONS or word.endswith(("n't", "n’t"))


def denial_in(text: str) -> str | None:
    """The first word by which a text says no of anything."""
    found = _DENIAL.search(text)
    return found[0] if found else None


def denies(text: str) -> bool:
    """Whether a text says no of anything."""
    return _DENIAL.search(text) is not None


def excludes(text: str) -> bool:
    """Whether a text says no of anything, or leaves something out: `plastic-free`, `except in winter`."""
    return denies(text) or _EXCLUSION.search(text) is not None


def opens_with_no(text: str) -> bool:
    """Whether a text begins by saying no: `none`, `without a lid`."""
    return _OPENING.match(text) is not None
