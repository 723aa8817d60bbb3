"""Answerability: how probable it is that the best of a product's evidence answers a question."""

from itertools import pairwise
from pathlib import Path

import pytest

from graph.answerability import answerable
from graph.answerability.weights import load
from graph.trained.logistic import WeightsError


def test_nothing_found_answers_nothing() -> None:
    assert answerable([]) == 0.0


def test_the_more_relevant_the_best_is_the_more_probable_is_an_answer() -> None:
    told = [answerable([best, 0.1, 0.05]) for best in (0.15, 0.3, 0.5, 0.7, 0.9)]
    assert all(less < more for less, more in pairwise(told))


def test_the_best_of_many_is_less_of_a_surprise_than_the_only_one() -> None:
    assert answerable([0.4]) > answerable([0.4] + [0.1] * 9)


def test_beyond_ten_their_number_tells_no_more() -> None:
    assert answerable([0.4] + [0.1] * 9) == answerable([0.4] + [0.1] * 40)


@pytest.mark.parametrize("extreme", [0.0, 1.0])
def test_it_stays_a_probability(extreme: float) -> None:
    assert 0.0 <= answerable([extreme]) <= 1.0


def test_a_missing_file_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="footnote train answerability"):
        load(tmp_path / "model.json")
