"""Making probabilities mean what they say, and measuring how well they do."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.intents.model import mix, probabilities_of

_BINS = 15
_SHARES = np.linspace(0.2, 0.8, 13)
_SHARPNESSES = np.geomspace(0.4, 4.0, 60)


@dataclass(frozen=True, slots=True)
class Mixture:
    """How two classifiers are put together: the dense one's share, and the sharpness of the mean."""

    share: float
    sharpness: float


def fit_mixture(dense: NDArray[np.float64], lexical: NDArray[np.float64], gold: NDArray[np.int64]) -> Mixture:
    """Choose share and sharpness by the likelihood of held-back labels (temperature scaling, Guo et al. 2017).

    Args:
        dense: Log probabilities of the dense classifier on rows it was not trained on.
        lexical: Those of the lexical classifier on the same rows.
        gold: Column of each row's label.
    """
    return min(
        (Mixture(float(share), float(sharpness)) for share in _SHARES for sharpness in _SHARPNESSES),
        key=lambda m: _loss(probabilities_of(mix(dense, lexical, m.share) * m.sharpness), gold),
    )


def fit_sharpness(probabilities: NDArray[np.float64], none: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    """Choose the exponent of probabilities by the likelihood of held-back labels, where none of the labels may apply.

    Args:
        probabilities: Of the labels, shape `(rows, labels)`.
        none: Probability that none applies, shape `(rows,)`.
        gold: Column of each row's label.
    """
    logs = np.log(probabilities)
    return min(
        (float(sharpness) for sharpness in _SHARPNESSES),
        key=lambda sharpness: _loss(blended(probabilities_of(logs * sharpness), none), gold),
    )


def blended(probabilities: NDArray[np.float64], none: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of the labels where none may apply: a text outside says nothing of which label it is.

    Args:
        probabilities: Shape `(texts, labels)`.
        none: Probability that none applies, shape `(texts,)`.
    """
    share = none[:, None]
    return np.asarray((1 - share) * probabilities + share / probabilities.shape[1], dtype=np.float64)


def expected_calibration_error(probabilities: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    """The calibration error of the likeliest label, from probabilities of shape `(rows, labels)` and gold columns."""
    return calibration_error(probabilities.max(axis=1), probabilities.argmax(axis=1) == gold)


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Mean distance of confidence (0 to 1) and accuracy over 15 equal bins, weighted by rows (Guo et al. 2017)."""
    bins = np.minimum((confidence * _BINS).astype(np.int64), _BINS - 1)
    gaps = np.bincount(bins, weights=right - confidence, minlength=_BINS)
    return float(np.abs(gaps).sum()) / len(right)


def _loss(probabilities: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    return float(-np.log(probabilities[np.arange(len(gold)), gold]).mean())
