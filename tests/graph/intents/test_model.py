"""The intent model: what it predicts, that training repeats itself, and how good the shipped one is."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.classification import expected_calibration_error
from evals.training.intent_model import Example, fit, fit_mixture, fit_neighbours, read_utterances
from evals.training.intents import browsing_curve, choose_browsing, evaluate
from graph.intents import INTENTS
from graph.intents.model import BUCKETS, IntentWeights, LocalIntentModel, neighbour_scores, term_counts
from graph.trained import WeightsError
from ingestion.encoder import shared_encoder
from tests.graph.fakes import WordHashEncoder

HELD_OUT = Path(__file__).parents[1] / "intents_heldout.jsonl"
OTHER_HAND = Path(__file__).parents[2] / "intents.jsonl"


def tiny() -> list[Example]:
    wanted = ("warranty", "variant", "delivery_sla")
    return [example for example in read_utterances() if example.label in wanted][::8]


@pytest.fixture(scope="module")
def weights() -> IntentWeights:
    return fit(tiny(), WordHashEncoder()).weights


def test_training_twice_gives_the_same_bytes(weights: IntentWeights) -> None:
    assert fit(tiny(), WordHashEncoder()).weights.to_bytes() == weights.to_bytes()


def test_a_small_model_learns_its_classes(weights: IntentWeights) -> None:
    model = LocalIntentModel(WordHashEncoder(), weights)
    distribution = model.distribution("how long is the warranty")
    assert max(distribution, key=lambda name: distribution[name]) == "warranty"


def test_two_classes_are_enough() -> None:
    examples = [example for example in tiny() if example.label != "variant"]
    model = LocalIntentModel(WordHashEncoder(), fit(examples, WordHashEncoder()).weights)
    assert model.distribution("when will my parcel arrive")["delivery_sla"] > 0.5


def test_weights_survive_the_file(weights: IntentWeights, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    path.write_bytes(weights.to_bytes())
    loaded = IntentWeights.load(path)
    assert loaded.labels == weights.labels
    np.testing.assert_allclose(loaded.lexical, weights.lexical, atol=0.01)
    assert (loaded.share, loaded.sharpness) == (weights.share, weights.sharpness)


@pytest.mark.parametrize("content", [None, b"", b"not an archive"])
def test_an_unusable_file_says_what_to_do(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WeightsError, match="footnote train intent"):
        IntentWeights.load(path)


@given(st.text(max_size=400))
def test_every_text_has_a_distribution(weights: IntentWeights, text: str) -> None:
    distribution = LocalIntentModel(WordHashEncoder(), weights).distribution(text)
    assert sum(distribution.values()) == pytest.approx(1)
    assert all(probability > 0 for probability in distribution.values())


@given(st.text(max_size=100))
def test_features_are_buckets_with_positive_weights(text: str) -> None:
    buckets, values = term_counts(text)
    assert len(buckets) == len(set(buckets.tolist())) > 0
    assert all(0 <= bucket < BUCKETS for bucket in buckets.tolist())
    assert (values >= 1).all()


def test_one_model_number_is_like_another() -> None:
    first, second = (term_counts(text)[0].tolist() for text in ("is the Z40 loud?", "Is the z91 LOUD"))
    assert first == second


def test_slots_are_filled_with_varied_names_and_the_same_in_every_run(tmp_path: Path) -> None:
    for folder, name, text in (
        ("u", "warranty", "is {product} like {product2}\nplain"),
        ("s", "product", "a\nb\nc\nd"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.txt").write_text(text)
    examples = read_utterances(tmp_path / "u", tmp_path / "s")
    filled = [example for example in examples if example.group != "plain"]
    assert len(filled) == 3
    assert len({example.text for example in filled}) > 1
    assert not any("{" in example.text for example in filled)
    assert [example.text for example in examples if example.group == "plain"] == ["plain"]
    assert read_utterances(tmp_path / "u", tmp_path / "s") == examples


def test_every_intent_has_utterances_of_its_own() -> None:
    by_label: dict[str, set[str]] = {}
    for example in read_utterances():
        by_label.setdefault(example.label, set()).add(example.group)
    assert set(by_label) == set(INTENTS)
    assert min(len(groups) for groups in by_label.values()) >= 120
    assert sum(map(len, by_label.values())) == len(set.union(*by_label.values())), "an utterance has two labels"


@pytest.mark.parametrize("file", [HELD_OUT, OTHER_HAND])
def test_no_test_row_was_trained_on(file: Path) -> None:
    def plain(text: str) -> str:
        return "".join(character for character in text.lower() if character.isalnum())

    rows = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert not {plain(row) for row in rows} & {plain(example.text) for example in read_utterances()}


def test_calibration_sharpens_what_is_right_and_softens_what_is_wrong() -> None:
    sure = np.log(np.array([[0.9, 0.1]] * 10))
    assert fit_mixture(sure, sure, np.zeros(10, dtype=np.int64)).sharpness > 1
    assert fit_mixture(sure, sure, np.array([0, 1] * 5)).sharpness < 1


def test_calibration_error_is_the_distance_of_confidence_and_accuracy() -> None:
    probabilities = np.array([[0.8, 0.2]] * 10)
    assert expected_calibration_error(probabilities, np.array([0] * 8 + [1] * 2)) == pytest.approx(0)
    assert expected_calibration_error(probabilities, np.zeros(10, dtype=np.int64)) == pytest.approx(0.2)


def test_the_browsing_threshold_loses_few_questions() -> None:
    lost, kept, found = [0.6] * 2, [0.0] * 98, [0.9] * 10
    chosen = choose_browsing(browsing_curve(np.array([*lost, *kept, *found]), np.repeat([False, True], [100, 10])))
    assert 0.6 < chosen.threshold <= 0.9
    assert chosen.found == 1


def test_the_shipped_model_knows_the_contracts_intents() -> None:
    assert set(IntentWeights.load().labels) == set(INTENTS)


def test_the_shipped_model_reads_most_test_rows_right() -> None:
    figures = evaluate(IntentWeights.load(), shared_encoder(), HELD_OUT)
    assert figures.accuracy >= 0.85
    assert figures.ece <= 0.08


def test_the_shipped_model_reads_rows_of_another_hand_right() -> None:
    figures = evaluate(IntentWeights.load(), shared_encoder(), OTHER_HAND)
    assert figures.accuracy >= 0.92
    assert figures.weighted_f1 >= 0.92
    assert figures.ece <= 0.05


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
