"""The reranker over plain texts, as evaluations and training use it; a turn has the vectors of its evidence already."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import terms
from graph.parts import Encoder
from graph.retrieval.reranking.candidate import Candidate
from graph.retrieval.reranking.features import NAMES, Features, features
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
    question, *texts = encoder.encode([query, *(one.text for one in candidates)])
    return features(question[None], frozenset(terms(query)), candidates, np.stack(texts), encoder)
