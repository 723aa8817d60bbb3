"""A fresh intent model on rows of one's own, with what none of their labels is about as background.

How likely it is that no label applies: each label's texts are a Gaussian around their mean, with one covariance for all
labels; all texts together are one wide Gaussian. The logarithm of how much better the labels explain a text is the
relative Mahalanobis distance of Ren et al., "A Simple Fix to Mahalanobis Distance for Improving Near-OOD Detection"
(2021), with its sign turned.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evals.training.intent_model import Example, Fitted, Rows, blended, fit, fit_sharpness
from graph.intents import NON_DECISION
from graph.intents.entropy import normalised_entropy
from graph.intents.model import Floats, IntentWeights, deep_vectors, probabilities, probabilities_of
from graph.parts import Encoder

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
        own = densities if fitted.groups is None else Densities.fit(fitted.rows.take(rest))
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


OUT_OF_SCOPE = "oos"
"""The label of texts to which no other label applies."""

KEPT_ACCURACY = 0.95
"""Share of the texts with a label that must still be answered right when others are rejected, on texts not seen yet."""

_SURENESS = 2.326
"""Of that, in standard deviations: so sure that it fails in one case of a hundred."""

_KEPT_SHARE = 0.99
"""Share of its right answers that must be kept where the model cannot reach `KEPT_ACCURACY` at all."""


@dataclass(frozen=True, slots=True)
class Classification:
    """What a text was taken for.

    Attributes:
        label: The likeliest label, or `OUT_OF_SCOPE`.
        distribution: Calibrated probabilities of the labels, summing to 1; `OUT_OF_SCOPE` is none of them.
        entropy: Normalised entropy of the distribution.
    """

    label: str
    distribution: dict[str, float]
    entropy: float


@dataclass(frozen=True, slots=True)
class FittedIntentModel:
    """A fitted model and the entropy above which it rejects a text.

    Attributes:
        encoder: Embeds the texts.
        weights: Give the probabilities of the labels, given that one of them applies.
        background: Gives the probability that none does; None where no example was out of scope.
        most_entropy: A text whose normalised entropy is above it is out of scope; 1 rejects none.
    """

    encoder: Encoder
    weights: IntentWeights
    background: Background | None
    most_entropy: float

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels but `OUT_OF_SCOPE`."""
        return self.weights.labels

    def classify(self, text: str) -> Classification:
        """Classify one text."""
        row = _distributions(self.weights, self.background, deep_vectors(self.encoder, [text]), [text])[0]
        distribution = dict(zip(self.labels, row.tolist(), strict=True))
        entropy = _entropy(distribution)
        likeliest = max(distribution, key=lambda label: distribution[label])
        return Classification(likeliest if entropy <= self.most_entropy else OUT_OF_SCOPE, distribution, entropy)


def fit_intent_model(train: Sequence[Example], validation: Sequence[Example], encoder: Encoder) -> FittedIntentModel:
    """Fit a model of the kind that ships, that also learns when none of its labels applies.

    The labels are learnt without the examples labelled `OUT_OF_SCOPE`. Those teach how far off the labels' texts a text
    must be so that none applies; as far as it is likely that none does, the distribution is even, and its entropy high.
    The model is calibrated, and the threshold chosen, on the validation examples; without any, on held-back training
    examples.

    Args:
        train: Labelled texts, with at least two labels beside `OUT_OF_SCOPE`.
        validation: Others of the same kind; may be empty.
        encoder: Embeds the texts.

    Raises:
        TooFewExamplesError: There is too little to learn from.
    """
    inside, held_back = _with_label(train), _with_label(validation)
    known = {example.label for example in inside}
    held_back = [example for example in held_back if example.label in known]
    fitted = fit(inside, encoder, held_back)
    outside = [*_texts_outside(train), *_texts_outside(validation)]
    if not outside:
        return FittedIntentModel(encoder, fitted.weights, None, 1.0)
    vectors = deep_vectors(encoder, outside)
    background, none = fit_background(fitted, vectors)
    sharpness = fit_sharpness(fitted.held_back, none, fitted.gold)
    weights = replace(fitted.weights, sharpness=fitted.weights.sharpness * sharpness)
    seen = blended(probabilities_of(np.log(fitted.held_back) * sharpness), none)
    unseen = _distributions(weights, background, vectors, outside)
    right = seen[seen.argmax(axis=1) == fitted.gold]
    threshold = rejection_threshold(_entropies(weights, right), len(seen), _entropies(weights, unseen))
    return FittedIntentModel(encoder, weights, background, threshold)


def rejection_threshold(right: Sequence[float], rows: int, outside: Sequence[float]) -> float:
    """The entropy above which a text is best rejected.

    It finds as many texts out of scope as can be found while `KEPT_ACCURACY` holds on other texts as well, or
    `_KEPT_SHARE` of the right answers where the model is not so good; of the thresholds that do, it rejects the fewest
    others.

    Args:
        right: Entropies of the texts with a label whose likeliest label is right.
        rows: How many texts with a label there are.
        outside: Entropies of texts out of scope.

    Returns:
        The threshold, halfway between what it keeps and what it rejects; 1, which rejects none, where none is found.
    """
    sure = sorted(right)
    kept = _needed(rows)
    if len(sure) < kept:
        kept = math.ceil(_KEPT_SHARE * len(sure))
    least = sure[kept - 1] if kept else 0.0
    found = min((entropy for entropy in outside if entropy > least), default=None)
    if found is None:
        return 1.0
    return (found + max(entropy for entropy in [least, *sure] if entropy < found)) / 2


def _needed(rows: int) -> int:
    """How many of so many rows must be right so that `KEPT_ACCURACY` is kept on others as well (Wilson's bound)."""
    share = KEPT_ACCURACY + _SURENESS * math.sqrt(KEPT_ACCURACY * (1 - KEPT_ACCURACY) / rows)
    return math.ceil(share * rows)


def _with_label(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.label != OUT_OF_SCOPE]


def _texts_outside(examples: Sequence[Example]) -> list[str]:
    return [example.text for example in examples if example.label == OUT_OF_SCOPE]


def _distributions(
    weights: IntentWeights, background: Background | None, vectors: Floats, texts: list[str]
) -> NDArray[np.float64]:
    found = probabilities(weights, vectors, texts)
    return found if background is None else blended(found, background.share(vectors))


def _entropies(weights: IntentWeights, rows: NDArray[np.float64]) -> list[float]:
    return [_entropy(dict(zip(weights.labels, row, strict=True))) for row in rows.tolist()]


def _entropy(distribution: Mapping[str, float]) -> float:
    classes = sum(label != NON_DECISION for label in distribution)
    return normalised_entropy(distribution, max(classes, 2))
