"""How far confidence and accuracy lie apart."""

import pytest

from evals.metrics.classification import calibration_metric
from evals.report import Metric


def test_confidence_that_is_right_as_often_as_it_says_has_no_error() -> None:
    assert calibration_metric([0.75] * 4, [True, True, True, False]).value == 0


def test_bins_count_by_their_rows() -> None:
    found = calibration_metric([0.9] * 3 + [0.5], [True, True, False, True])
    assert found.value == pytest.approx((3 * (0.9 - 2 / 3) + (1 - 0.5)) / 4, abs=1e-6)
    assert found.n == 4


def test_there_are_fifteen_bins_of_equal_width() -> None:
    inside = calibration_metric([0.6 + 0.001, 0.666 - 0.001], [True, False]).value
    across = calibration_metric([0.6 - 0.001, 0.6 + 0.001], [True, False]).value
    assert inside == pytest.approx(0.133, abs=1e-6)
    assert across == pytest.approx((0.401 + 0.601) / 2, abs=1e-6)


def test_certainty_is_in_the_last_bin() -> None:
    assert calibration_metric([1.0, 1.0], [True, False]).value == 0.5


def test_no_rows_have_no_figure() -> None:
    assert calibration_metric([], []) == Metric(value=None, ci95=None, n=0)
