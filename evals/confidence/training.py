"""Training of confidence."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evals.confidence.examples import PACK, SHOP, ConfidenceExample, examples
from evals.confidence.figures import ConfidenceMetrics, measure, render_card
from evals.training.release import Release
from graph.concluding.confidence.scoring import BOUNDS, MODEL_PATH, NAMES, described
from graph.trained import FOLDS, Logistic, fold_of

REGULARISATION = 0.3
"""The inverse strength C, over standardised signals."""

_DIGITS = 6


def fit(rows: NDArray[np.float64], labels: NDArray[np.bool_], regularisation: float = REGULARISATION) -> Logistic:
    """Learn from described signals.

    Args:
        rows: Shape `(examples, len(NAMES))`.
        labels: Whether each answer is right.
        regularisation: The inverse strength C, over standardised signals.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - heavy

    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0  # what never differs teaches nothing
    described = (rows - centre) / spread

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = described @ weights[:-1] + weights[-1]
        missed = 1 / (1 + np.exp(-odds)) - labels
        penalty = weights[:-1] / regularisation
        value = float((np.logaddexp(0, odds) - labels * odds).sum() + (weights[:-1] @ penalty) / 2)
        return value, np.append(described.T @ missed + penalty, missed.sum())

    bounds = [*_standardised(spread.tolist()), (None, None)]
    start = np.array([low or 0.0 for low, _ in bounds])
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
    coefficients = found[:-1] / spread
    intercept = round(float(found[-1] - coefficients @ centre), _DIGITS)
    return Logistic(NAMES, tuple(round(float(one), _DIGITS) for one in coefficients), intercept)


def _standardised(spreads: Sequence[float]) -> list[tuple[float | None, float | None]]:
    """The bounds of log odds per standard deviation."""
    return [
        (None if low is None else low * spread, None if high is None else high * spread)
        for (low, high), spread in zip(BOUNDS.values(), spreads, strict=True)
    ]


def train() -> Release[ConfidenceMetrics]:
    """Train on answers to train questions, and measure on answers to test questions too.

    Raises:
        MissingPackError: The pack is not there.
    """
    return release(examples("train"), examples("test"))


def release(
    train_rows: Sequence[ConfidenceExample], test_rows: Sequence[ConfidenceExample]
) -> Release[ConfidenceMetrics]:
    """The same from examples; those that were not answered teach nothing."""
    rows, test = ([one for one in own if one.answered] for own in (train_rows, test_rows))
    weights = fit(_described(rows), _right(rows))
    straight, stepped = _held_back(rows)
    sets = {
        "train, cross-validated": straight,
        f"of these, {PACK}": [one for one in straight if one.source == PACK],
        f"of these, {SHOP}": [one for one in straight if one.source == SHOP],
        "train, isotonic regression behind it": stepped,
        "test": _scored(test, weights.probabilities(_described(test))),
    }
    figures = {name: measure(held) for name, held in sets.items()}
    return Release(MODEL_PATH, weights.to_bytes(), render_card(weights, rows, figures), figures)


def _held_back(rows: Sequence[ConfidenceExample]) -> tuple[list[ConfidenceExample], list[ConfidenceExample]]:
    """Examples scored by models that did not learn from their fold: plainly, and with isotonic regression behind."""
    from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415 - heavy

    described_, right = _described(rows), _right(rows)
    folds = np.array([fold_of(one.subject) for one in rows])
    straight, stepped = np.zeros(len(rows)), np.zeros(len(rows))
    for fold in range(FOLDS):
        held, kept = folds == fold, folds != fold
        if not held.any():
            continue
        weights = fit(described_[kept], right[kept])
        straight[held] = weights.probabilities(described_[held])
        steps = IsotonicRegression(out_of_bounds="clip").fit(weights.probabilities(described_[kept]), right[kept])
        stepped[held] = steps.predict(straight[held])
    return _scored(rows, straight), _scored(rows, stepped)


def _described(rows: Sequence[ConfidenceExample]) -> NDArray[np.float64]:
    return np.stack([described(one.signals) for one in rows])


def _right(rows: Sequence[ConfidenceExample]) -> NDArray[np.bool_]:
    return np.array([one.right for one in rows])


def _scored(rows: Sequence[ConfidenceExample], scores: NDArray[np.floating]) -> list[ConfidenceExample]:
    return [replace(one, score=float(score)) for one, score in zip(rows, scores, strict=True)]
