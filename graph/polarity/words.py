"""Which words of a question stand in a text, also as the beginning of longer ones or written together."""

import re
from collections.abc import Set as AbstractSet

_STEM = 4
"""Letters from which on the beginning of a word is taken for the word."""


def found_in(asked: AbstractSet[str], there: AbstractSet[str], run: str) -> frozenset[str]:
    """Which words asked about are there: wood in wooden, water and proof in waterproof.

    Args:
        asked: Stems.
        there: Stems of the text.
        run: The text in one, by `joined`; empty to look at stems alone.
    """
    return frozenset(word for word in asked if word in there or (len(word) >= _STEM and _akin(word, there, run)))


def joined(text: str) -> str:
    """A text without what parts its words."""
    return re.sub(r"[\W_]+", "", text.lower())


def _akin(word: str, there: AbstractSet[str], run: str) -> bool:
    return word in run or any(len(one) >= _STEM and (one.startswith(word) or word.startswith(one)) for one in there)
