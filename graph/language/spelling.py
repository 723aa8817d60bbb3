"""Spelling: the known words that a mistyped one is near to."""

from collections import defaultdict
from collections.abc import Iterable

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

_TWO_EDITS_FROM = 8


class Vocabulary:
    """Words of letters, found by how they are written.

    One edit is allowed (a swap of neighbours counts as one), two in long words; the first letter stands, unless it
    changed places with the second.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in known:
            if word.isalpha():
                self._buckets[word[0], len(word)].append(word)

    def near(self, word: str) -> list[tuple[str, int]]:
        """The words near one of two letters or more, and by how many edits, fewest first."""
        edits = 2 if len(word) >= _TWO_EDITS_FROM else 1
        lengths = range(len(word) - edits, len(word) + edits + 1)
        near = [known for length in lengths for known in self._buckets.get((word[0], length), ())]
        near += [known for known in self._buckets.get((word[1], len(word)), ()) if known[1] == word[0]]
        found = extract(word, near, scorer=OSA.distance, score_cutoff=edits, limit=None)
        return [(known, int(distance)) for known, distance, _ in found]
