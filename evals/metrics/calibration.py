"""Calibration: whether what is said with 80 % confidence is right in 80 % of cases."""

from collections.abc import Sequence

import numpy as np

from evals.report import Metric, statistic_metric
from graph.intents.training import calibration_error


def calibration_metric(confidences: Sequence[float], right: Sequence[bool]) -> Metric:
    """The expected calibration error over 15 equal bins of confidence (0 to 1); null over no rows."""
    if not right:
        return Metric(value=None, ci95=None, n=0)
    said, held = np.asarray(confidences, dtype=np.float64), np.asarray(right, dtype=np.bool_)
    return statistic_metric(len(held), lambda rows: calibration_error(said[rows], held[rows]))
