"""Metrics of ranked retrieval against figures worked out by hand and against scikit-learn."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from evals.metrics.information_retrieval import average_precision, hit, ndcg, recall, reciprocal_rank

SECOND_AND_FOURTH = [False, True, False, True, False]

relevances = st.lists(st.booleans(), min_size=2, max_size=12).filter(any)
gains = st.lists(st.sampled_from([0.0, 1.0, 3.0]), min_size=2, max_size=12).filter(any)
depths = st.integers(min_value=1, max_value=15)


def test_a_hit_is_a_relevant_result_among_the_first_k() -> None:
    assert [hit(SECOND_AND_FOURTH, k) for k in (1, 2, 5)] == [False, True, True]
    assert not hit([], 5)


def test_the_reciprocal_rank_is_that_of_the_first_relevant_result() -> None:
    assert reciprocal_rank(SECOND_AND_FOURTH) == 1 / 2
    assert reciprocal_rank(SECOND_AND_FOURTH, 1) == 0
    assert reciprocal_rank([False, False]) == 0


@pytest.mark.parametrize(
    ("relevant", "total", "expected"),
    [
        (SECOND_AND_FOURTH, 2, (1 / 2 + 2 / 4) / 2),
        (SECOND_AND_FOURTH, 3, (1 / 2 + 2 / 4) / 3),
        (SECOND_AND_FOURTH, 9, (1 / 2 + 2 / 4) / 5),
        ([True] * 5, 9, 1),
        ([False] * 5 + [True], 1, 0),
        ([], 1, 0),
    ],
)
def test_average_precision_is_over_what_five_results_could_hold(
    relevant: list[bool], total: int, expected: float
) -> None:
    assert average_precision(relevant, total, 5) == pytest.approx(expected)


def test_recall_is_over_all_there_is_to_find() -> None:
    assert recall(SECOND_AND_FOURTH, 4, 5) == 2 / 4
    assert recall(SECOND_AND_FOURTH, 4, 3) == 1 / 4


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    worth = 1 / math.log2(3) + 3 / math.log2(4)
    assert ndcg([0, 1, 3], [3, 1, 0], 5) == pytest.approx(worth / (3 + 1 / math.log2(3)))
    assert ndcg([0, 1, 3], [3, 1, 0], 2) == pytest.approx((1 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_what_was_not_found_lowers_ndcg() -> None:
    assert ndcg([1], [1, 1], 5) == pytest.approx(1 / (1 + 1 / math.log2(3)))


@given(relevances)
def test_average_precision_of_a_whole_ranking_is_that_of_scikit_learn(relevant: list[bool]) -> None:
    scores = [-rank for rank in range(len(relevant))]
    assert average_precision(relevant, sum(relevant), len(relevant)) == pytest.approx(
        average_precision_score(relevant, scores)
    )


@given(gains, depths)
def test_ndcg_is_that_of_scikit_learn(ranking: list[float], k: int) -> None:
    scores = [-rank for rank in range(len(ranking))]
    assert ndcg(ranking, ranking, k) == pytest.approx(ndcg_score([ranking], [scores], k=k))


@given(relevances, depths)
def test_every_figure_lies_between_0_and_1_and_is_0_only_without_a_hit(relevant: list[bool], k: int) -> None:
    total = sum(relevant)
    figures = [
        average_precision(relevant, total, k),
        reciprocal_rank(relevant, k),
        recall(relevant, total, k),
        ndcg(relevant, relevant, k),
    ]
    assert all(0 <= figure <= 1 + 1e-12 for figure in figures)
    assert all((figure > 0) == hit(relevant, k) for figure in figures)


@given(relevances, depths)
def test_the_best_order_is_perfect(relevant: list[bool], k: int) -> None:
    best = sorted(relevant, reverse=True)
    assert average_precision(best, sum(best), k) == pytest.approx(1)
    assert ndcg(best, best, k) == pytest.approx(1)
    assert reciprocal_rank(best, k) == 1
