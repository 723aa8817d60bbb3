"""The reranker over plain texts, as evaluations and training use it; a turn has the vectors of its evidence already."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import terms
from graph.parts import Encoder
from graph.retrieval.reranking.candidate import Candidate, answer_of
from graph.retrieval.reranking.features import NAMES, WHOLE_SHARE, Features, features
from graph.retrieval.reranking.weights import shipped
from graph.trained.logistic import Logistic


class Reranker:
    """Scores candidates by a few features; safe to share."""

    def __init__(self, encoder: Encoder, weights: Logistic | None = None) -> None:
        self._encoder = encoder
        self._weights = weights or shipped()

    def scores(self, query: str, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Probabilities that each candidate answers the question alone, in the order given; they need not sum to 1."""
        return self._weights.probabilities(describe(query, candidates, self._encoder))


def describe(query: str, candidates: Sequence[Candidate], encoder: Encoder) -> Features:
    """Features of candidates that are given as texts."""
    if not candidates:
        return np.zeros((0, len(NAMES)))
    answered = [place for place, one in enumerate(candidates) if one.source_type == "qa"]
    answers = [answer_of(candidates[place]) for place in answered]
    question, *vectors = encoder.encode([query, *(one.text for one in candidates), *answers])
    cosines, parts = np.split(np.clip(np.stack(vectors) @ question, 0.0, 1.0), [len(candidates)])
    cosines[answered] = np.maximum(parts, WHOLE_SHARE * cosines[answered])
    return features(frozenset(terms(query)), candidates, cosines)
