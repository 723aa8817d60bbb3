"""Fusion: one ranking from dense and lexical search."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FUSION_CONSTANT = 60
"""The k of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""

CHUNK_MEANING, WORDS, DOCUMENT_MEANING = 0.5, 0.33, 0.17
"""Weights of the convex combination, chosen on train rows (docs/fusion.md)."""


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Join rankings by the sum of their reciprocal ranks, best first; ties by key."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking):
            scores[key] = scores.get(key, 0.0) + 1 / (FUSION_CONSTANT + rank + 1)
    return sorted(scores, key=lambda key: (-scores[key], key))


def convex_combination(
    chunk_cosines: NDArray[np.float32], lexical_scores: NDArray[np.float32], document_cosines: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Score candidates by all that is known of them, 0 to 1 (Bruch, Gai and Ingber, 2023).

    Unlike ranks, scores keep how much better one candidate is than the next. A document's own cosine tells chunks of
    like wording apart by what the rest of their documents is about.

    Args:
        chunk_cosines: Cosine of each candidate to the question.
        lexical_scores: Share each has of the best BM25 score, 0 where lexical search did not find it.
        document_cosines: Cosine of the document each belongs to.
    """
    combined = (
        CHUNK_MEANING * np.clip(chunk_cosines, 0.0, 1.0)
        + WORDS * lexical_scores
        + DOCUMENT_MEANING * np.clip(document_cosines, 0.0, 1.0)
    )
    return np.asarray(combined, dtype=np.float32)
