"""What of a claim's words stands in the evidence, and in how few of its sentences."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import TypeVar

import numpy as np

from graph.support.passages import Passage, Rarity
from graph.support.wording import Wording

T = TypeVar("T")

NAMES = (
    "terms covered",
    "terms covered by a sentence",
    "terms covered by two sentences",
    "words covered",
    "rarest term missing",
    "terms missing",
    "word pairs covered",
    "word triples covered",
    "longest run",
)
LESS = frozenset({"rarest term missing", "terms missing"})
"""Those that speak against support; the others speak for it."""


def overlap(claim: Wording, passage: Passage, rarity: Rarity) -> list[float]:
    """Describe a claim beside its evidence, one figure for each of `NAMES`."""
    everything = frozenset[str]().union(*(one.content for one in passage.evidence))
    best = passage.sentences[0].content
    missing = claim.content - everything
    second = max((rarity.total(claim.content & (best | one.content)) for one in passage.sentences), default=0.0)
    total = rarity.total(claim.content) or 1.0
    return [
        rarity.total(claim.content & everything) / total,
        rarity.total(claim.content & best) / total,
        second / total,
        _share(claim.stems, {one for text in passage.evidence for one in text.stems}),
        max(map(rarity.of, missing), default=0.0),
        float(np.log1p(len(missing))),
        _share(list(pairwise(claim.stems)), {pair for text in passage.evidence for pair in pairwise(text.stems)}),
        _share(_triples(claim.stems), {one for text in passage.evidence for one in _triples(text.stems)}),
        max((_run(claim.stems, one.stems) for one in passage.sentences[:3]), default=0) / max(len(claim.stems), 1),
    ]


def _share(said: Sequence[T], there: AbstractSet[T]) -> float:
    return sum(one in there for one in said) / len(said) if said else 1.0


def _triples(stems: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(stems[at : at + 3]) for at in range(len(stems) - 2)]


def _run(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest run of words that both have."""
    longest, lengths = 0, [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, theirs in enumerate(other, start=1):
            before, lengths[place] = lengths[place], before + 1 if word == theirs else 0
            longest = max(longest, lengths[place])
    return longest
