"""Resemblance: how surely a unit of one name stands for a unit of another that is written differently."""

from collections.abc import Iterable, Mapping

from rapidfuzz.distance import OSA

_SQUASHED, _PREFIX, _MISTYPED, _CONTRACTED = 0.9, 0.75, 0.9, 0.4
_SHORTEST_INSIDE = 4
_SHORTEST_PREFIX = 3
_SHORTEST_MISTYPED = 4
_LEAST_SIMILAR = 0.75


def resemblances(units: Iterable[str], others: Iterable[str], squashed: str) -> Mapping[str, float]:
    """For each unit, 0 to 1: how well the other name has it in another spelling.

    It may stand inside the other's squashed letters ("spysweeper", "8489a001"), be cut short ("pro", "blu"), mistyped,
    or contracted ("std").

    Args:
        units: Units of one name that the other lacks.
        others: Units of the other name that this one lacks.
        squashed: The other name's letters and digits.
    """
    words = [other for other in others if other.isalpha()]
    return {unit: _resemblance(unit, words, squashed) for unit in units}


def _resemblance(unit: str, words: Iterable[str], squashed: str) -> float:
    if len(unit) >= _SHORTEST_INSIDE and unit in squashed:
        return _SQUASHED
    if not unit.isalpha():
        return 0.0
    return max((_of_words(unit, word) for word in words if word[0] == unit[0]), default=0.0)


def _of_words(unit: str, word: str) -> float:
    short, long = sorted((unit, word), key=len)
    if len(short) >= _SHORTEST_PREFIX and long.startswith(short):
        return _PREFIX
    if len(short) >= _SHORTEST_MISTYPED:
        return OSA.normalized_similarity(short, long, score_cutoff=_LEAST_SIMILAR) * _MISTYPED
    return _CONTRACTED if len(short) > 1 and _is_contraction(short, long) else 0.0


def _is_contraction(short: str, long: str) -> bool:
    """Whether all letters of one word stand in the other in the same order."""
    rest = iter(long)
    return len(short) < len(long) and all(letter in rest for letter in short)
