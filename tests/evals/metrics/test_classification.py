"""Metrics of a classifier against figures worked out by hand and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from evals.metrics.classification import classification_metrics

labels = st.sampled_from("abc")
rows = st.lists(st.tuples(labels, labels), min_size=1, max_size=12)

GOLD = ["a", "a", "a", "b", "c"]
SAID = ["a", "a", "b", "b", "b"]


def test_precision_is_over_what_was_said_and_recall_over_what_is_right() -> None:
    found = classification_metrics(GOLD, SAID)
    assert (found["class.a.precision"].value, found["class.a.precision"].n) == (1, 2)
    assert (found["class.a.recall"].value, found["class.a.recall"].n) == (pytest.approx(2 / 3, abs=1e-6), 3)
    assert (found["class.b.precision"].value, found["class.b.recall"].value) == (pytest.approx(1 / 3, abs=1e-6), 1)
    assert (found["class.a.f1"].value, found["class.b.f1"].value, found["class.c.f1"].value) == (0.8, 0.5, 0)


def test_macro_f1_counts_classes_alike_and_weighted_f1_by_their_rows() -> None:
    found = classification_metrics(GOLD, SAID)
    assert found["macro_f1"].value == pytest.approx((0.8 + 0.5 + 0) / 3, abs=1e-6)
    assert found["weighted_f1"].value == pytest.approx((3 * 0.8 + 0.5 + 0) / 5, abs=1e-6)
    assert found["macro_f1"].n == 5


def test_what_was_never_said_has_no_precision_and_what_is_never_right_no_recall() -> None:
    found = classification_metrics(["a", "c"], ["a", "b"])
    assert found["class.c.precision"].value is found["class.b.recall"].value is None
    assert (found["class.c.recall"].value, found["class.b.precision"].value) == (0, 0)


@settings(deadline=None, max_examples=10)
@given(rows)
def test_all_figures_are_those_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    gold, said = [one for one, _ in pairs], [other for _, other in pairs]
    found = classification_metrics(gold, said)
    for average in ("macro", "weighted"):
        expected = f1_score(gold, said, average=average, zero_division=0)
        assert found[f"{average}_f1"].value == pytest.approx(expected, abs=1e-6)
    names = sorted({*gold, *said})
    for name, score in (("precision", precision_score), ("recall", recall_score), ("f1", f1_score)):
        for label, expected in zip(names, score(gold, said, labels=names, average=None, zero_division=0), strict=True):
            assert (found[f"class.{label}.{name}"].value or 0) == pytest.approx(expected, abs=1e-6)


def test_intervals_hold_the_figures_and_narrow_with_more_rows() -> None:
    few, many = classification_metrics(GOLD * 4, SAID * 4), classification_metrics(GOLD * 100, SAID * 100)
    for name in ("macro_f1", "class.a.recall", "class.b.precision"):
        narrow, wide, value = many[name].ci95, few[name].ci95, many[name].value
        assert narrow is not None
        assert wide is not None
        assert value is not None
        assert wide[0] < narrow[0] < value < narrow[1] < wide[1]
    assert np.isfinite([bound for metric in few.values() if metric.ci95 for bound in metric.ci95]).all()
