"""How likely it is that no label applies: a text that all examples together explain as well as any one label does.

Each label's texts are a Gaussian around their mean, with one covariance for all labels; all texts together are one wide
Gaussian. The logarithm of how much better the labels explain a text is the relative Mahalanobis distance of Ren et al.,
"A Simple Fix to Mahalanobis Distance for Improving Near-OOD Detection" (2021), with its sign turned.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.intents.model import Floats
from graph.intents.training import Fitted, Rows

_SHRINKAGE = 0.05
_STRENGTH = 100.0
_EPSILON = float(np.finfo(np.float32).eps)
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Densities:
    """The Gaussians of the labels and of all texts, in a space in which the labels' covariance is the identity.

    Attributes:
        whitening: Maps a vector into that space, shape `(dimensions, dimensions)`.
        means: Mean of each label there, shape `(labels, dimensions)`.
        centre: Mean of all texts there.
        wide: Precision of all texts there, shape `(dimensions, dimensions)`.
    """

    whitening: Floats
    means: Floats
    centre: Floats
    wide: Floats

    @classmethod
    def fit(cls, rows: Rows) -> "Densities":
        """Estimate the Gaussians; their covariances are shrunk towards a sphere."""
        known = np.unique(rows.gold)
        means = np.stack([rows.vectors[rows.gold == label].mean(axis=0) for label in known])
        within = rows.vectors - means[np.searchsorted(known, rows.gold)]
        around = rows.vectors - rows.vectors.mean(axis=0)
        whitening = np.linalg.cholesky(np.linalg.inv(_covariance(within)))
        wide = np.linalg.inv(whitening.T @ _covariance(around) @ whitening)
        centre = rows.vectors.mean(axis=0) @ whitening
        return cls(*(part.astype(np.float32) for part in (whitening, means @ whitening, centre, wide)))

    def gain(self, vectors: Floats) -> Scores:
        """How much better the labels explain each text than all texts together do, as a logarithm up to a constant."""
        seen = vectors @ self.whitening
        near = seen @ self.means.T - 0.5 * (self.means**2).sum(axis=1)
        labels = np.logaddexp.reduce(near.astype(np.float64), axis=1) - 0.5 * (seen**2).sum(axis=1)
        away = seen - self.centre
        return np.asarray(labels + 0.5 * ((away @ self.wide) * away).sum(axis=1), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Background:
    """The probability that none of the labels applies.

    Attributes:
        densities: Say how much better the labels explain a text than all texts together do.
        slope: Of the log odds over that gain; not above 0.
        intercept: Of the log odds.
    """

    densities: Densities
    slope: float
    intercept: float

    def share(self, vectors: Floats) -> Scores:
        """Probability that none of the labels applies, for each text."""
        return _logistic(self.slope * self.densities.gain(vectors) + self.intercept)


def fit_background(fitted: Fitted, outside: Floats) -> tuple[Background, Scores]:
    """Learn from texts to which no label applies how far off a text must be.

    Args:
        fitted: A model and the examples it was tested on.
        outside: Embeddings of texts to which no label applies, one at least.

    Returns:
        The background, and its share for each tested example from densities that did not see it.
    """
    densities = Densities.fit(fitted.rows)
    inside = np.zeros(len(fitted.tested.texts))
    for chosen, rest in fitted.splits():
        own = densities if fitted.folds is None else Densities.fit(fitted.rows.take(rest))
        inside[chosen] = own.gain(fitted.tested.vectors[chosen])
    slope, intercept = _fit_odds(inside, densities.gain(outside))
    return Background(densities, slope, intercept), _logistic(slope * inside + intercept)


def _covariance(deviations: Floats) -> Scores:
    """Shrunk towards a sphere of the same size, so that it can be inverted."""
    covariance = (deviations.T @ deviations).astype(np.float64) / len(deviations)
    size = max(float(np.trace(covariance)) / len(covariance), _EPSILON)
    return np.asarray((1 - _SHRINKAGE) * covariance + _SHRINKAGE * size * np.eye(len(covariance)), dtype=np.float64)


def _fit_odds(inside: Scores, outside: Scores) -> tuple[float, float]:
    """Slope and intercept of the log odds of being outside over the gain."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    gain = np.concatenate([inside, outside])
    centre, spread = float(gain.mean()), max(float(gain.std()), _EPSILON)
    is_outside = np.repeat([0, 1], [len(inside), len(outside)])
    model = LogisticRegression(C=_STRENGTH).fit(((gain - centre) / spread)[:, None], is_outside)
    # A text that the labels explain better is never the likelier to be outside.
    slope = min(float(model.coef_[0, 0]) / spread, 0.0)
    return slope, float(model.intercept_[0]) - slope * centre


def _logistic(odds: Scores) -> Scores:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -500, 500))), dtype=np.float64)
