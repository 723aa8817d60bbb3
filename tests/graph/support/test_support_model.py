"""The support model that ships: what it takes for supported, and what it makes of odd input."""

from collections.abc import Sequence

import numpy as np
import pytest

from graph.support import SupportModel
from graph.support.features import NAMES
from graph.support.weights import MODEL_PATH, THRESHOLD, shipped
from ingestion.encoder import shared_encoder


@pytest.fixture(scope="module")
def model() -> SupportModel:
    return SupportModel(shared_encoder())


@pytest.mark.parametrize(
    ("claim", "evidence", "swapped"),
    [
        (
            "The Fernhill 3 weighs 2.1 kg.",
            ["Fernhill 3 specifications\nWeight: 2.1 kg"],
            "The Fernhill 3 weighs 2.7 kg.",
        ),
        (
            "The Fernhill 3 weighs 2.1 kg.",
            ["Fernhill 3 specifications\nWeight: 2.1 kg"],
            "The Fernhill 3 weighs 2.1 lb.",
        ),
        (
            "The Fernhill 3 weighs 2.1 kg.",
            ["Fernhill 3 specifications\nWeight: 2.1 kg"],
            "The Oakdale 3 weighs 2.1 kg.",
        ),
        (
            "The Fernhill 3 does not have a vestibule.",
            ["Fernhill 3 specifications\nVestibule: No"],
            "The Fernhill 3 has a vestibule.",
        ),
        (
            "Opened cosmetics cannot be returned.",
            ["Returns\nFor reasons of hygiene, opened cosmetics cannot be returned."],
            "Opened cosmetics can be returned within 90 days.",
        ),
    ],
)
def test_a_sentence_is_supported_until_one_thing_in_it_is_changed(
    model: SupportModel, claim: str, evidence: Sequence[str], swapped: str
) -> None:
    assert model.probability(claim, evidence) >= THRESHOLD > model.probability(swapped, evidence)


def test_several_texts_may_support_a_sentence_together(model: SupportModel) -> None:
    claim = "The lamp is made of oak and the shade is linen."
    parts = ["The lamp is made of oak.", "The shade is linen."]
    assert model.probability(claim, parts) > max(model.probability(claim, [part]) for part in parts)


def test_what_the_evidence_does_not_speak_of_is_not_supported(model: SupportModel) -> None:
    assert model.probability("Delivery is free.", ["The tent has two poles."]) < THRESHOLD


@pytest.mark.parametrize(("claim", "evidence"), [("", ["text"]), ("  ", []), ("A claim.", []), ("A claim.", ["", " "])])
def test_nothing_is_supported_by_nothing(model: SupportModel, claim: str, evidence: Sequence[str]) -> None:
    assert model.probability(claim, evidence) == 0


@pytest.mark.parametrize("text", ["?", "¿qué?", "🙂", "\n", "[1] [2]", "a" * 3000, ": : :"])
def test_any_text_can_be_judged(model: SupportModel, text: str) -> None:
    assert np.isfinite(model.probabilities([(text, [text]), ("It is blue.", [text]), (text, ["It is blue."])])).all()


def test_no_claims_have_no_probabilities(model: SupportModel) -> None:
    assert model.probabilities([]).shape == (0,)


def test_a_probability_does_not_depend_on_what_is_judged_beside_it(model: SupportModel) -> None:
    pairs = [(f"The tent has {count} poles.", [f"Poles: {count}"]) for count in range(2, 9)]
    together = model.probabilities(pairs)
    alone = [model.probability(*pair) for pair in pairs]
    assert np.allclose(alone, together, atol=0.1)  # batches run in bfloat16, and a tree may turn on little


def test_the_mean_of_the_word_pieces_is_the_vector_of_a_text() -> None:
    encoder, texts = shared_encoder(), ["The tent has two poles.", "Blue."]
    means = np.stack([one.mean(axis=0) for one in encoder.encode_tokens(texts)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    assert np.allclose(means, encoder.encode(texts), atol=1e-4)
    assert [len(one) for one in encoder.encode_tokens(texts)] == [2 + encoder.count_tokens(text) for text in texts]


def test_the_shipped_card_names_what_the_shipped_weights_look_at() -> None:
    card = MODEL_PATH.with_name("MODEL_CARD.md").read_text(encoding="utf-8")
    trees = len(shipped().lines.roots) + len(shipped().pages.roots)
    assert f"{trees} boosted trees over {len(NAMES)} figures" in card
    assert all(f"| {name} | " in card for name in NAMES)
