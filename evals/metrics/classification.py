"""Classification: precision, recall, AUROC, calibration error."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evals.report import Figures, Metric, Rows, statistic_metric, statistic_metrics

_BINS = 15


def auroc_metric(positive: Sequence[bool], scores: Sequence[float]) -> Metric:
    """The probability that a positive row scores above a negative one, ties counting half (Fawcett, 2006).

    Args:
        positive: Which rows are positive.
        scores: Their scores; minus infinity is below all others.

    Returns:
        The figure over all rows; null where they are all of one kind.
    """
    labels = np.asarray(positive, dtype=np.bool_)
    _, ranks = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
    return statistic_metric(len(labels), lambda rows: _auroc(labels[rows], ranks[rows]))


def _auroc(labels: NDArray[np.bool_], ranks: NDArray[np.intp]) -> float:
    levels = int(ranks.max()) + 1
    above = np.bincount(ranks[labels], minlength=levels)
    below = np.bincount(ranks[~labels], minlength=levels)
    pairs = above.sum() * below.sum()
    # A positive row wins against each negative one of a lower rank, and half against each of its own.
    wins = float(above @ (below.cumsum() - below / 2))
    return wins / float(pairs) if pairs else math.nan


def calibration_metric(confidences: Sequence[float], right: Sequence[bool]) -> Metric:
    """The expected calibration error over 15 equal bins of confidence (0 to 1); null over no rows."""
    said, held = np.asarray(confidences, dtype=np.float64), np.asarray(right, dtype=np.bool_)
    return statistic_metric(len(held), lambda rows: calibration_error(said[rows], held[rows]))


def expected_calibration_error(probabilities: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    """The calibration error of the likeliest label, from probabilities of shape `(rows, labels)` and gold columns."""
    return calibration_error(probabilities.max(axis=1), probabilities.argmax(axis=1) == gold)


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Mean distance of confidence (0 to 1) and accuracy over 15 equal bins, weighted by rows (Guo et al. 2017)."""
    bins = np.minimum((confidence * _BINS).astype(np.int64), _BINS - 1)
    gaps = np.bincount(bins, weights=right - confidence, minlength=_BINS)
    return float(np.abs(gaps).sum()) / len(right)


def classification_metrics(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, Metric]:
    """`macro_f1`, `weighted_f1`, and `class.<label>.precision`, `.recall` and `.f1`.

    The classes are those that stand in `gold` or `predicted`, as in scikit-learn. `macro_f1` is the mean of their F1,
    `weighted_f1` that mean weighted by how often each is gold. `n` of a class's figure is what it is a share of, for F1
    the class's gold rows; the precision of what was never predicted and the recall of what is never gold are null.

    Args:
        gold: The right class of each row; at least one row.
        predicted: What was said of it.
    """
    labels = sorted({*gold, *predicted})
    columns = {label: column for column, label in enumerate(labels)}
    right = np.array([columns[label] for label in gold])
    said = np.array([columns[label] for label in predicted])
    asked, given = (np.bincount(rows, minlength=len(labels)).tolist() for rows in (right, said))
    counts = [len(right), len(right), *given, *asked, *asked]
    names = ["macro_f1", "weighted_f1"]
    names += [f"class.{label}.{figure}" for figure in ("precision", "recall", "f1") for label in labels]
    found = statistic_metrics(len(right), lambda rows: _figures(right[rows], said[rows], len(labels)), counts)
    return dict(zip(names, found, strict=True))


def _figures(gold: Rows, predicted: Rows, classes: int) -> Figures:
    """The figures in the order of their names; not a number where one is undefined."""
    asked, given, met = (
        np.bincount(rows, minlength=classes).astype(np.float64) for rows in (gold, predicted, gold[gold == predicted])
    )
    f1 = _shares(2 * met, asked + given)
    overall = [np.nanmean(f1), np.nansum(f1 * asked) / len(gold)]
    return np.concatenate([overall, _shares(met, given), _shares(met, asked), f1])


def _shares(parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.full(len(wholes), np.nan)
    np.divide(parts, wholes, out=shares, where=wholes > 0)
    return shares
