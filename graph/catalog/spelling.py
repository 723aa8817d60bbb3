"""Spelling: which known words a mistyped word may have meant."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from graph.language.english import ordinary_words

_MIN_LENGTH = 4
_TWO_EDITS_FROM = 8
_LIMIT = 3


class Spelling:
    """Corrections of words towards a vocabulary.

    Only words of letters are corrected: another digit is another product. One edit is allowed (a swap of neighbours
    counts as one), two in long words; the first letter stands, unless it changed places with the second. Ordinary words
    are never corrected.

    Args:
        vocabulary: The known words.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in vocabulary:
            if word.isalpha() and len(word) >= _MIN_LENGTH:
                self._buckets[word[0], len(word)].append(word)
        self.corrections = lru_cache(maxsize=4096)(self._corrections)

    def _corrections(self, word: str) -> tuple[tuple[str, float], ...]:
        """Known words near a word with their similarity (0 to 1), nearest first."""
        if not word.isalpha() or len(word) < _MIN_LENGTH or not ordinary_words().isdisjoint({word, word + "s"}):
            return ()
        edits = 2 if len(word) >= _TWO_EDITS_FROM else 1
        lengths = range(len(word) - edits, len(word) + edits + 1)
        near = [known for length in lengths for known in self._buckets.get((word[0], length), ())]
        near += [known for known in self._buckets.get((word[1], len(word)), ()) if known[1] == word[0]]
        found = extract(word, near, scorer=OSA.distance, score_cutoff=edits, limit=_LIMIT)
        return tuple((known, 1 - distance / max(len(word), len(known))) for known, distance, _ in found)
