"""The intent classifier at run time: plain numpy over a small file, and one sentence embedding a question."""

import numpy as np
from numpy.typing import NDArray

from graph.intents.features import term_counts
from graph.intents.weights import Floats, IntentWeights
from graph.parts import Encoder

_LEAST = 1e-12


class LocalIntentModel:
    """A dense and a lexical classifier, averaged and calibrated.

    The embedding knows what words mean, the lexical features what they are exactly; each errs where the other does not.
    """

    def __init__(self, encoder: Encoder, weights: IntentWeights | None = None) -> None:
        self._encoder = encoder
        self._weights = weights or IntentWeights.load()

    def distribution(self, query: str) -> dict[str, float]:
        """Calibrated probabilities over the labels, summing to 1."""
        dense, lexical = scores(self._weights, self._encoder.encode([query]), [query])
        mixed = mix(dense, lexical, self._weights.share)
        probabilities = probabilities_of(mixed * self._weights.sharpness)[0]
        return dict(zip(self._weights.labels, probabilities.tolist(), strict=True))


def scores(
    weights: IntentWeights, vectors: Floats, texts: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log probabilities of the two classifiers, each of shape `(len(texts), labels)`."""
    dense = vectors @ weights.dense + weights.dense_bias
    lexical = np.stack([_lexical(weights, text) for text in texts]) + weights.lexical_bias
    return np.log(probabilities_of(dense)), np.log(probabilities_of(lexical))


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
