"""Ranking: which of the catalog's names is most like a whole name from elsewhere."""

from collections import Counter
from functools import lru_cache

from graph.catalog.alignment import Spoken
from graph.catalog.function_words import (
    ARTICLES,
    AUXILIARIES,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    REQUEST_VERBS,
)
from graph.catalog.names import NameIndex, Surface

ACCEPTED = 0.5
"""From this likeness on, the best name is taken for the product."""

_CANDIDATES = 64
_MIN_UNITS = 4
_MIN_KNOWN = 0.5
_SPOKEN = QUESTION_WORDS | AUXILIARIES | PRONOUNS | REQUEST_VERBS
_OVERLAP_WEIGHT = 0.7


class NameRanking:
    """Ranks names by shared units, weighted by how much they say, and by shared letters.

    Args:
        names: The index of the catalog's names.
    """

    def __init__(self, names: NameIndex) -> None:
        self._names = names

    def is_name(self, question: Spoken) -> bool:
        """Whether the words are a bare name rather than a sentence."""
        content = [unit.text for unit in question.units if unit.text not in PREPOSITIONS | ARTICLES]
        if len(content) < _MIN_UNITS or "?" in question.text or not _SPOKEN.isdisjoint(content):
            return False
        return sum(text in self._names for text in content) >= _MIN_KNOWN * len(content)

    def rank(self, question: Spoken, limit: int) -> list[tuple[str, float]]:
        """Product ids and their likeness (0 to 1), best first, each product once."""
        wanted = Counter[str]()
        for unit in question.units:
            wanted[unit.text] = 1
        scored: dict[str, float] = {}
        for surface in self._names.candidates(wanted, _CANDIDATES):
            score = self._likeness(tuple(wanted), surface)
            scored[surface.product_id] = max(score, scored.get(surface.product_id, 0.0))
        return sorted(scored.items(), key=lambda pair: -pair[1])[:limit]

    def _likeness(self, query: tuple[str, ...], surface: Surface) -> float:
        idf = self._names.idf
        name = frozenset(surface.units)
        shared = sum(idf(unit) for unit in query if unit in name)
        total = sum(idf(unit) for unit in query) + sum(idf(unit) for unit in name)
        overlap = 2 * shared / total
        return _OVERLAP_WEIGHT * overlap + (1 - _OVERLAP_WEIGHT) * _letters(query, surface.units)


def _letters(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Dice coefficient of the letter trigrams."""
    first, second = _trigrams(left), _trigrams(right)
    return 2 * len(first & second) / max(len(first) + len(second), 1)


@lru_cache(maxsize=8192)
def _trigrams(cut: tuple[str, ...]) -> frozenset[str]:
    padded = [f" {unit} " for unit in cut]
    return frozenset(text[i : i + 3] for text in padded for i in range(len(text) - 2))
