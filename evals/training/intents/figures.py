"""How good a classifier is, in the field's usual figures."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.intents.training import expected_calibration_error


@dataclass(frozen=True, slots=True)
class IntentMetrics:
    """Figures of one set of labelled rows.

    Attributes:
        rows: Number of rows.
        accuracy: Share of rows whose likeliest label is right.
        weighted_f1: F1 of each label, averaged by its number of rows.
        ece: Expected calibration error, 15 equal bins.
        f1: F1 by label.
        confusions: `(right, predicted, rows)` of the wrong ones, most frequent first.
    """

    rows: int
    accuracy: float
    weighted_f1: float
    ece: float
    f1: dict[str, float]
    confusions: list[tuple[str, str, int]]


def measure(probabilities: NDArray[np.float64], gold: NDArray[np.int64], labels: tuple[str, ...]) -> IntentMetrics:
    """Measure calibrated probabilities, shape `(rows, labels)`, against each row's column."""
    predicted = probabilities.argmax(axis=1)
    wrong = Counter((labels[g], labels[p]) for g, p in zip(gold, predicted, strict=True) if g != p)
    f1 = {label: _f1(gold == column, predicted == column) for column, label in enumerate(labels)}
    return IntentMetrics(
        rows=len(gold),
        accuracy=float((predicted == gold).mean()),
        weighted_f1=sum(f1[label] * float((gold == column).mean()) for column, label in enumerate(labels)),
        ece=expected_calibration_error(probabilities, gold),
        f1=f1,
        confusions=[(*pair, rows) for pair, rows in sorted(wrong.items(), key=lambda item: (-item[1], item[0]))],
    )


def _f1(gold: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> float:
    claimed = int(gold.sum() + predicted.sum())
    return 2 * int((gold & predicted).sum()) / claimed if claimed else 0.0
