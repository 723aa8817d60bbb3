"""Patterns that a shop writes: matched in time linear in the text, whatever they are.

They are read by RE2 (https://github.com/google/re2/wiki/Syntax), which knows no looking around and no references back.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import re2

_REMEMBERED = 1024
_BOUNDED = ("\\b", "\\B", "\\w", "\\W")
"""What RE2 knows of Latin letters only."""


class ShopPattern:
    """One pattern, in any case; accents make no difference.

    Args:
        pattern: As a shop writes it.

    Raises:
        ValueError: RE2 cannot read it.
    """

    def __init__(self, pattern: str) -> None:
        plain = _plain(pattern)
        if any(part in plain for part in _BOUNDED) and any(char.isalnum() and not char.isascii() for char in plain):
            msg = f"the pattern {pattern!r} has \\b or \\w beside letters that are not Latin: leave those out"
            raise ValueError(msg)
        options = re2.Options()
        options.case_sensitive = False
        options.log_errors = False
        try:
            self._read = re2.compile(plain, options)
        except re2.error as error:
            msg = (
                f"the pattern {pattern!r} is no regular expression that RE2 reads: {_reason(error)}. "
                "Lookaround such as (?!...) and references such as \\1 are left out, so that no pattern can be slow"
            )
            raise ValueError(msg) from error

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it matches, in code points."""
        return (found.span() for found in self._read.finditer(_plain(text)))

    def matches(self, text: str) -> bool:
        """Whether it matches anywhere."""
        return self._read.search(_plain(text)) is not None


@lru_cache(maxsize=_REMEMBERED)
def shop_pattern(pattern: str) -> ShopPattern:
    """A pattern, read once.

    Raises:
        ValueError: RE2 cannot read it.
    """
    return ShopPattern(pattern)


def _reason(error: Exception) -> str:
    """RE2's words for what is wrong."""
    reason = error.args[0] if error.args else error
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


def _plain(text: str) -> str:
    """A text with Latin letters for accented ones, each in its place: RE2 finds words by those alone."""
    return text if text.isascii() else "".join(map(_letter, text))


@lru_cache(maxsize=4096)
def _letter(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0]
    if base.isascii() and base.isalnum():
        return base
    return "?" if 0xD800 <= ord(character) <= 0xDFFF else character  # noqa: PLR2004 - half of a surrogate pair
