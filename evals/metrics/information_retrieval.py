"""Metrics of ranked retrieval, of one query at a time.

They are those of Manning, Raghavan and Schütze, *Introduction to Information Retrieval* (2008), chapter 8, cut off at k
results. A ranking is given as what each of its results is worth, best ranked first; no result stands in it twice.
"""

import math
from collections.abc import Sequence


def hit(relevant: Sequence[bool], k: int) -> bool:
    """Hit@k: whether one of the first k results is relevant."""
    return any(relevant[:k])


def reciprocal_rank(relevant: Sequence[bool], k: int | None = None) -> float:
    """One over the rank, from 1, of the first relevant result; 0 where none is among the first k, or among all."""
    return next((1 / rank for rank, good in enumerate(relevant[:k], start=1) if good), 0.0)


def average_precision(relevant: Sequence[bool], total: int, k: int) -> float:
    """Mean of the precisions at the relevant ones of the first k results.

    Args:
        relevant: Whether each result is relevant.
        total: How many relevant results there are to find, at least one.
        k: How many results count.

    Returns:
        The sum of the precisions over as many as k results could hold, `min(total, k)`; a perfect ranking has 1.
    """
    found, precisions = 0, 0.0
    for rank, good in enumerate(relevant[:k], start=1):
        if good:
            found += 1
            precisions += found / rank
    return precisions / min(total, k)


def recall(relevant: Sequence[bool], total: int, k: int) -> float:
    """Share of all relevant results, of which there is at least one, that is among the first k."""
    return sum(relevant[:k]) / total


def ndcg(gains: Sequence[float], ideal: Sequence[float], k: int) -> float:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen, 2002) with the discount 1 / log2(rank + 1).

    Args:
        gains: Gain of each result.
        ideal: Gains of all there is to find, in any order, at least one above 0.
        k: How many results count, of the ranking and of the ideal one alike.
    """
    return _dcg(gains[:k]) / _dcg(sorted(ideal, reverse=True)[:k])


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
