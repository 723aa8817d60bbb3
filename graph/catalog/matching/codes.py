"""Codes: the makers' and shops' numbers in a name ("wh-1000xm4", "301486"), however they are hyphenated."""

import re

from graph.catalog.units import is_measure
from graph.language.terms import fold

_MIN_LENGTH = 4
_MIN_DIGITS_ALONE = 5
_SIBLING_PREFIX = 3
_DIGIT = re.compile(r"\d")
_COUNT = re.compile(r"\A\d+(?:x|u|pk|pcs?|ct|pack|pair|piece|port|sheet|user|watt|volt|year)s?")


def squash(text: str) -> str:
    """The folded letters and digits of a text, all else left out."""
    return "".join(char for char in fold(text) if char.isalnum())


def codes(text: str) -> frozenset[str]:
    """The codes of a text, squashed; amounts ("256gb"), years and short numbers are none."""
    return frozenset(code for code in map(squash, filter(_DIGIT.search, text.split())) if is_code(code))


def is_code(text: str) -> bool:
    """Whether a squashed word is a code: digits among letters, or a long number."""
    digits = sum(char.isdigit() for char in text)
    if digits == len(text):
        return digits >= _MIN_DIGITS_ALONE
    if len(text) < _MIN_LENGTH or not digits or is_measure(text) or _COUNT.fullmatch(text):
        return False
    return digits > 1 or len(text) > _MIN_LENGTH


def are_siblings(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether some code begins like another and goes on differently, as those of a line do."""
    return any(
        one[:_SIBLING_PREFIX] == other[:_SIBLING_PREFIX] and one not in other and other not in one
        for one in left
        for other in right
    )
