"""How the weights are found: a logistic regression whose signs are held to what its signals mean."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.concluding.confidence.scoring import BOUNDS, NAMES
from graph.trained import Logistic

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
