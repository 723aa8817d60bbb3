"""Percentile bootstrap: how far a figure could move if other rows of the same kind had been drawn."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
SEED = 20_240_501

Rows = NDArray[np.intp]
"""Positions of drawn rows, with repetition."""

Figures = NDArray[np.float64]


def interval(rows: int, statistic: Callable[[Rows], float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """The 95 % interval of any statistic over rows.

    Args:
        rows: How many rows there are, at least one.
        statistic: From the positions of drawn rows to the figure; not a number where it is undefined.
        resamples: How often rows are drawn.

    Returns:
        The 2.5th and 97.5th percentile; the same in every run.
    """
    low, high = intervals(rows, lambda drawn: np.array([statistic(drawn)]), resamples)[0]
    return float(low), float(high)


def intervals(rows: int, statistics: Callable[[Rows], Figures], resamples: int = RESAMPLES) -> Figures:
    """The 95 % intervals of several statistics over the same drawn rows.

    Args:
        rows: How many rows there are, at least one.
        statistics: From the positions of drawn rows to the figures; not a number where one is undefined.
        resamples: How often rows are drawn.

    Returns:
        The 2.5th and 97.5th percentile of each figure, shape `(figures, 2)`.
    """
    generator = np.random.default_rng(SEED)
    drawn = [statistics(generator.integers(0, rows, size=rows)) for _ in range(resamples)]
    return np.asarray(np.nanpercentile(drawn, [2.5, 97.5], axis=0).T, dtype=np.float64)


def mean_interval(values: Sequence[float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """The 95 % interval of a mean; `values` holds at least one."""
    array = np.asarray(values, dtype=np.float64)
    return interval(len(array), lambda rows: float(array[rows].mean()), resamples)
