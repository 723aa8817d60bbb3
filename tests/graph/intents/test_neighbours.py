"""The nearest examples as a classifier of their own."""

import numpy as np
import pytest

from evals.training.intent_model import fit_neighbours
from graph.intents.model import neighbour_scores

POINTS = np.array([[1, 0, 0], [0.9, 0.1, 0], [0, 1, 0], [0, 0.9, 0.1], [0, 0, 1]], dtype=np.float32)
GOLD = np.array([0, 0, 1, 1, 2], dtype=np.int64)


def test_a_text_has_the_label_of_the_examples_near_it() -> None:
    scores = neighbour_scores(fit_neighbours(POINTS, GOLD), POINTS * 0.95, 3)
    assert scores.argmax(axis=1).tolist() == GOLD.tolist()


def test_scores_are_log_probabilities() -> None:
    scores = np.exp(neighbour_scores(fit_neighbours(POINTS, GOLD), POINTS, 4))
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    assert scores[:, 3].max() < 0.01, "a label without examples is unlikely"


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_examples_are_enough(count: int) -> None:
    scores = neighbour_scores(fit_neighbours(POINTS[:count], GOLD[:count]), np.zeros((1, 3), dtype=np.float32), 3)
    assert np.isfinite(scores).all()


def test_an_odd_wording_is_known_again_though_its_label_lies_elsewhere() -> None:
    random = np.random.default_rng(3)
    crowd = random.normal([5, 0, 0, 0], 0.3, (40, 4)), random.normal([0, 5, 0, 0], 0.3, (40, 4))
    odd = random.normal([4, 0, 3, 0], 0.1, (20, 4))
    vectors = np.vstack([*crowd, odd]).astype(np.float32)
    gold = np.repeat([0, 1, 1], [40, 40, 20]).astype(np.int64)
    assert neighbour_scores(fit_neighbours(vectors, gold), vectors[-1:], 2).argmax() == 1
