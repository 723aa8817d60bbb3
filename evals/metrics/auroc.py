"""Area under the ROC curve: how well a score tells two kinds of rows apart, whatever the threshold."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evals.bootstrap import interval
from evals.report import Metric


def auroc_metric(positive: Sequence[bool], scores: Sequence[float]) -> Metric:
    """The probability that a positive row scores above a negative one, ties counting half (Fawcett, 2006).

    Args:
        positive: Which rows are positive.
        scores: Their scores; minus infinity is below all others.

    Returns:
        The figure over all rows; null where they are all of one kind.
    """
    labels = np.asarray(positive, dtype=np.bool_)
    if labels.all() or not labels.any():
        return Metric(value=None, ci95=None, n=len(labels))
    _, ranks = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
    low, high = interval(len(labels), lambda rows: _auroc(labels[rows], ranks[rows]))
    return Metric(
        value=round(_auroc(labels, ranks), 6),
        ci95=(round(low, 6), round(high, 6)),
        n=len(labels),
    )


def _auroc(labels: NDArray[np.bool_], ranks: NDArray[np.intp]) -> float:
    levels = int(ranks.max()) + 1
    above = np.bincount(ranks[labels], minlength=levels)
    below = np.bincount(ranks[~labels], minlength=levels)
    pairs = above.sum() * below.sum()
    # A positive row wins against each negative one of a lower rank, and half against each of its own.
    wins = float(above @ (below.cumsum() - below / 2))
    return wins / float(pairs) if pairs else math.nan
