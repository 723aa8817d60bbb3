"""The background: how likely it is that none of the labels applies."""

import numpy as np
import pytest

from evals.training.fresh_intents import Densities, fit_background
from evals.training.intent_model import Fitted, Rows, blended, fit_neighbours, fit_sharpness
from graph.intents.model import Floats, IntentWeights

LABELS = ("left", "right")
CENTRES = np.array([[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]])


def near(label: int, count: int, seed: int) -> Floats:
    return (CENTRES[label] + np.random.default_rng(seed).normal(scale=0.3, size=(count, 3))).astype(np.float32)


def rows(seed: int) -> Rows:
    vectors = np.vstack([near(0, 40, seed), near(1, 40, seed + 1)])
    return Rows([""] * 80, vectors, np.repeat([0, 1], 40).astype(np.int64), LABELS)


def fitted(groups: tuple[str, ...] | None) -> Fitted:
    empty = np.zeros((1, 2), dtype=np.float32)
    near = fit_neighbours(rows(0).vectors, rows(0).gold)
    weights = IntentWeights(LABELS, empty, empty[0], empty[0], empty, empty[0], near, 0.5, 1.0)
    tested = rows(0) if groups is not None else rows(5)
    return Fitted(weights, rows(0), tested, groups, np.full((80, 2), 0.5))


OUTSIDE = np.array([[0.0, 3.0, 3.0], [0.0, -3.0, 2.0], [0.5, 4.0, -1.0], [-0.5, 0.0, 0.0]], dtype=np.float32)


def test_labels_explain_their_own_texts_better_than_others() -> None:
    densities = Densities.fit(rows(0))
    assert densities.gain(near(0, 20, 9)).min() > densities.gain(OUTSIDE).max()


@pytest.mark.parametrize("groups", [None, tuple(f"text {number}" for number in range(80))])
def test_a_text_unlike_every_label_is_likely_outside(groups: tuple[str, ...] | None) -> None:
    background, none = fit_background(fitted(groups), OUTSIDE)
    assert background.share(OUTSIDE).min() > 0.5 > background.share(near(1, 20, 11)).max()
    assert none.shape == (80,)
    assert none.max() < 0.5


def test_nothing_is_the_likelier_outside_for_being_explained_better() -> None:
    background, _ = fit_background(fitted(None), near(0, 3, 2))
    assert background.slope <= 0


def test_one_text_for_each_label_is_enough() -> None:
    few = Rows(["", ""], CENTRES.astype(np.float32), np.array([0, 1]), LABELS)
    assert np.isfinite(Densities.fit(few).gain(OUTSIDE)).all()


def test_a_text_outside_says_nothing_of_which_label_it_is() -> None:
    sure = np.array([[0.9, 0.1], [0.9, 0.1]])
    np.testing.assert_allclose(blended(sure, np.array([0.0, 1.0])), [[0.9, 0.1], [0.5, 0.5]])


def test_probabilities_are_sharpened_as_far_as_the_background_softens_them() -> None:
    right = np.array([[0.8, 0.2]] * 8 + [[0.2, 0.8]] * 2)
    gold = np.zeros(10, dtype=np.int64)
    assert fit_sharpness(right, np.full(10, 0.2), gold) > fit_sharpness(right, np.zeros(10), gold)
