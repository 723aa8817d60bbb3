"""A fresh intent model: what it learns from, and when it rejects."""

from collections.abc import Sequence

import numpy as np
import pytest

from evals.training.fresh_intents import OUT_OF_SCOPE, fit_intent_model, rejection_threshold
from evals.training.intent_model import Example, TooFewExamplesError
from graph.intents import NON_DECISION
from graph.parts import Vectors

WORDS = ("red", "green", "blue", "grey")


class ColourEncoder:
    """A text is the mean of its colours."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        counts = np.array([[text.split().count(word) for word in WORDS] for text in texts], dtype=np.float32) + 0.01
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), dtype=np.float32)


def examples(*texts: str, label: str | None = None, count: int = 10) -> list[Example]:
    return [Example(f"{text} {n}", label or text.split()[0], f"{text} {n}") for text in texts for n in range(count)]


COLOURS = examples("red", "green", "blue")


def test_every_label_but_out_of_scope_is_learnt() -> None:
    model = fit_intent_model([*COLOURS, *examples("grey", label=OUT_OF_SCOPE)], [], ColourEncoder())
    assert model.labels == ("blue", "green", "red")
    assert model.classify("red 77").label == "red"
    assert set(model.classify("red 77").distribution) == set(model.labels)


def test_what_fits_no_label_is_rejected_by_its_entropy() -> None:
    validation = [*examples("red x", "green x", "blue x"), *examples("grey", label=OUT_OF_SCOPE)]
    model = fit_intent_model(COLOURS, validation, ColourEncoder())
    found, sure = model.classify("grey 77"), model.classify("red x 77")
    assert (found.label, sure.label) == (OUT_OF_SCOPE, "red")
    assert sure.entropy <= model.most_entropy < found.entropy <= 1


def test_nothing_is_rejected_where_no_example_is_out_of_scope() -> None:
    model = fit_intent_model(COLOURS, examples("red x", "green x", "blue x"), ColourEncoder())
    assert model.classify("grey 77").label in model.labels


def test_rejection_keeps_the_accuracy_wanted_on_texts_that_are_not_seen_yet() -> None:
    right = [n / 1000 for n in range(980)]
    threshold = rejection_threshold(right, 1000, [0.2, 0.9665, 0.97, 1.0])
    assert sum(entropy <= threshold for entropy in right) / 1000 == 0.967
    assert 0.966 < threshold < 0.9665


def test_of_more_rows_less_must_be_kept_to_be_as_sure() -> None:
    right = [n / 100_000 for n in range(98_000)]
    threshold = rejection_threshold(right, 100_000, [0.2, *right, 1.0])
    assert 0.951 < sum(entropy <= threshold for entropy in right) / 100_000 < 0.952


def test_of_thresholds_that_find_as_much_the_one_that_rejects_the_fewest_others_is_chosen() -> None:
    threshold = rejection_threshold([n / 1000 for n in range(1000)], 1000, [0.9985, 1.0])
    assert 0.998 < threshold < 0.9985


def test_where_the_accuracy_cannot_be_reached_nearly_all_right_answers_are_kept() -> None:
    right = [n / 1000 for n in range(600)]
    threshold = rejection_threshold(right, 1000, [0.1, 0.5, 0.5935, 0.7])
    assert sum(entropy <= threshold for entropy in right) == 594


@pytest.mark.parametrize(("right", "outside"), [([0.1, 0.9], []), ([0.1, 0.9], [0.05]), ([], [])])
def test_where_nothing_can_be_found_nothing_is_rejected(right: list[float], outside: list[float]) -> None:
    assert rejection_threshold(right, 2, outside) == 1


def test_a_model_that_is_never_right_may_reject_whatever_it_likes() -> None:
    assert rejection_threshold([], 2, [0.4, 0.6]) == 0.2


def test_validation_labels_that_were_never_trained_change_nothing() -> None:
    validation = examples("red x", "green x", "blue x")
    model = fit_intent_model(COLOURS, [*validation, *examples("grey", label="unheard")], ColourEncoder())
    assert model.labels == ("blue", "green", "red")


def test_entropy_is_that_of_the_labels_that_decide() -> None:
    with_talk = [*COLOURS, *examples("grey", label=NON_DECISION)]
    model = fit_intent_model(with_talk, [], ColourEncoder())
    assert 0 <= model.classify("red 3").entropy < 0.5
    assert NON_DECISION in model.labels


@pytest.mark.parametrize("train", [[], examples("red"), [*examples("red", count=1), *examples("green", count=1)]])
def test_too_few_examples_are_an_error(train: list[Example]) -> None:
    with pytest.raises(TooFewExamplesError, match="at least two labels"):
        fit_intent_model(train, [], ColourEncoder())
