"""The intent classifier at run time: plain numpy over a small file, and one sentence embedding a question."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.intents.embedding import deep_vectors
from graph.intents.features import term_counts
from graph.intents.neighbours import neighbour_scores
from graph.intents.weights import Floats, IntentWeights
from graph.parts import Encoder

_LEAST = 1e-12
_NEAR = 0.5
"""Say of the nearest examples beside the dense classifier."""


class LocalIntentModel:
    """A dense and a lexical classifier, averaged and calibrated.

    The embedding knows what words mean, the lexical features what they are exactly; each errs where the other does not.
    """

    def __init__(self, encoder: Encoder, weights: IntentWeights | None = None) -> None:
        self._encoder = encoder
        self._weights = weights or IntentWeights.load()

    def distribution(self, query: str) -> dict[str, float]:
        """Calibrated probabilities over the labels, summing to 1."""
        return self.distributions([query])[0]

    def distributions(self, queries: Sequence[str]) -> list[dict[str, float]]:
        """The same for several texts, which are embedded in one run."""
        texts = list(queries)
        found = probabilities(self._weights, deep_vectors(self._encoder, texts), texts)
        return [dict(zip(self._weights.labels, row, strict=True)) for row in found.tolist()]


def probabilities(weights: IntentWeights, vectors: Floats, texts: list[str]) -> NDArray[np.float64]:
    """Calibrated probabilities of the labels, shape `(len(texts), labels)`."""
    dense, lexical = scores(weights, vectors, texts)
    return probabilities_of(mix(dense, lexical, weights.share) * weights.sharpness)


def scores(
    weights: IntentWeights, vectors: Floats, texts: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log probabilities by the embedding and by the words, up to a constant, each of shape `(len(texts), labels)`."""
    dense = np.log(probabilities_of(vectors @ weights.dense + weights.dense_bias))
    near = neighbour_scores(weights.neighbours, vectors, len(weights.labels))
    lexical = np.stack([_lexical(weights, text) for text in texts]) + weights.lexical_bias
    return dense + _NEAR * near, np.log(probabilities_of(lexical))


def mix(dense: NDArray[np.float64], lexical: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """The weighted mean of two classifiers' log probabilities."""
    return share * dense + (1 - share) * lexical


def probabilities_of(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Softmax over the last axis, never exactly 0."""
    exponentials = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    probabilities = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.asarray(np.maximum(probabilities, _LEAST), dtype=np.float64)


def _lexical(weights: IntentWeights, text: str) -> NDArray[np.float64]:
    buckets, values = term_counts(text)
    weighted = values * weights.idf[buckets]
    return np.asarray(weighted @ weights.lexical[buckets] / np.linalg.norm(weighted), dtype=np.float64)
