"""Raised numbers of a PDF: exponents and the marks of footnotes, put to the word they stand at."""

from collections.abc import Sequence
from dataclasses import replace

from ingestion.readers.pdf_page import Word

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALLER = 0.95
"""A raised number is at most so many times as large as what it stands at."""
_NEAR = 0.3
"""Font sizes between a word and what is raised beside it."""
_LIFT = (0.2, 0.7)
"""Font sizes by which it stands higher: less is crooked setting, more another line."""


def raised(digits: str) -> str:
    """Digits as raised ones, which do not join the number before them (`25 m²`, `4,500¹ mAh`)."""
    return digits.translate(_RAISED)


def with_raised(words: Sequence[Word]) -> list[Word]:
    """Words of a page in reading order of their lines' text, raised numbers joined to their neighbours."""
    joined: list[Word] = []
    for word in words:
        before = joined[-1] if joined else None
        if before is not None and _is_raised(word, before) and 0 <= word.left - before.right + 1 < _gap(before):
            joined[-1] = replace(before, text=before.text + raised(word.text), right=word.right)
        elif before is not None and _is_raised(before, word) and 0 <= word.left - before.right + 1 < _gap(word):
            joined[-1] = replace(word, text=raised(before.text) + word.text, left=before.left)
        elif before is not None and before.text[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" and _touches(before, word):
            joined[-1] = replace(before, text=before.text + word.text, right=word.right)
        else:
            joined.append(word)
    return joined


def _is_raised(word: Word, beside: Word) -> bool:
    lift = (beside.base - word.base) / beside.size
    return word.text.isdecimal() and word.size <= SMALLER * beside.size and _LIFT[0] < lift < _LIFT[1]


def _gap(word: Word) -> float:
    return _NEAR * word.size + 1


def _touches(before: Word, word: Word) -> bool:
    return before.base == word.base and abs(word.left - before.right) < 0.1 * word.size
