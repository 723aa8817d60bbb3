"""How well a score tells two kinds of rows apart."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from evals.metrics.classification import auroc_metric
from evals.report import Metric

scored = st.lists(
    st.tuples(st.booleans(), st.sampled_from([float("-inf"), 0.1, 0.2, 0.9])), min_size=2, max_size=12
).filter(lambda rows: len({positive for positive, _ in rows}) == 2)


def test_perfect_separation_is_1_and_its_reverse_0() -> None:
    positive, scores = [True, True, False, False], [0.9, 0.8, 0.2, 0.1]
    assert auroc_metric(positive, scores).value == 1
    assert auroc_metric(positive, scores[::-1]).value == 0


@settings(max_examples=20)
@given(scored)
def test_it_is_the_share_of_pairs_in_the_right_order_with_ties_as_half(rows: list[tuple[bool, float]]) -> None:
    above = [score for positive, score in rows if positive]
    below = [score for positive, score in rows if not positive]
    pairs = [(one > other) + 0.5 * (one == other) for one, other in product(above, below)]
    figure = auroc_metric([positive for positive, _ in rows], [score for _, score in rows])
    assert figure.value == pytest.approx(sum(pairs) / len(pairs), abs=1e-6)
    assert figure.n == len(rows)


def test_it_is_that_of_scikit_learn() -> None:
    generator = np.random.default_rng(7)
    positive, scores = generator.random(300) < 0.3, generator.integers(0, 40, 300)
    assert auroc_metric(positive.tolist(), scores.tolist()).value == pytest.approx(
        roc_auc_score(positive, scores), abs=1e-6
    )


def test_its_interval_holds_it_and_narrows_with_more_rows() -> None:
    positive, scores = [True, True, False, False], [0.9, 0.4, 0.5, 0.1]
    few, many = auroc_metric(positive * 5, scores * 5), auroc_metric(positive * 50, scores * 50)
    assert few.value == many.value == 0.75
    assert few.ci95 is not None
    assert many.ci95 is not None
    assert few.ci95[0] < many.ci95[0] < 0.75 < many.ci95[1] < few.ci95[1]


def test_rows_of_one_kind_have_no_figure() -> None:
    assert auroc_metric([True, True], [0.1, 0.2]) == Metric(value=None, ci95=None, n=2)
