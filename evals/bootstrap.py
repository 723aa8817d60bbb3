"""Percentile bootstrap: how far a figure could move if other rows of the same kind had been drawn."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
SEED = 20_240_501

Rows = NDArray[np.intp]
"""Positions of drawn rows, with repetition."""


def interval(rows: int, statistic: Callable[[Rows], float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """The 95 % interval of any statistic over rows.

    Args:
        rows: How many rows there are, at least one.
        statistic: From the positions of drawn rows to the figure; not a number where it is undefined.
        resamples: How often rows are drawn.

    Returns:
        The 2.5th and 97.5th percentile; the same in every run.
    """
    generator = np.random.default_rng(SEED)
    drawn = [statistic(generator.integers(0, rows, size=rows)) for _ in range(resamples)]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def mean_interval(values: Sequence[float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """The 95 % interval of a mean; `values` holds at least one."""
    array = np.asarray(values, dtype=np.float64)
    return interval(len(array), lambda rows: float(array[rows].mean()), resamples)
