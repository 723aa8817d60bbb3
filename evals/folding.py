"""How texts are compared: as a reader sees them, not as they are typed."""

import re

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201b\u02bc"
_DOUBLE_QUOTES = "\u201c\u201d\u201f"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_ALIKE = str.maketrans(
    dict.fromkeys(_DASHES, "-") | dict.fromkeys(_SINGLE_QUOTES, "'") | dict.fromkeys(_DOUBLE_QUOTES, '"')
) | dict.fromkeys(map(ord, _INVISIBLE))

_MARKER = re.compile(r" ?\[(\d+)\]")


def fold(text: str) -> str:
    """Fold case, white space of every width, dashes and quotation marks; drop what is invisible."""
    return " ".join(text.translate(_ALIKE).casefold().split())


def contains(text: str, part: str) -> bool:
    """Whether a text holds another one, both folded."""
    return fold(part) in fold(text)


def same(text: str, other: str) -> bool:
    """Whether two texts are alike once folded."""
    return fold(text) == fold(other)


def without_markers(answer: str) -> str:
    """The answer's words, without markers and the space before them."""
    return _MARKER.sub("", answer)
