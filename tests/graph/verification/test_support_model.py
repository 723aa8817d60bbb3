"""The support model that ships: what it takes for supported, and what it makes of odd input."""

from collections.abc import Sequence

import numpy as np
import pytest

from graph.reader import shared_reader
from graph.trained import EVEN
from graph.verification import SupportModel
from ingestion.encoder import shared_encoder


@pytest.fixture(scope="module")
def model() -> SupportModel:
    return SupportModel(shared_reader(), shared_encoder())


def probability(model: SupportModel, claim: str, evidence: Sequence[str]) -> float:
    return float(model.probabilities([(claim, evidence)])[0])


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
            "The Oakdale 3 weighs 2.1 kg.",
        ),
        (
            "The Fernhill 3 does not have a vestibule.",
            ["Fernhill 3 specifications\nVestibule: No"],
            "The Fernhill 3 has a vestibule.",
        ),
        (
            "Opened cosmetics cannot be returned.",
            ["For reasons of hygiene, opened cosmetics cannot be returned."],
            "Opened cosmetics can be returned within 90 days.",
        ),
    ],
)
def test_a_sentence_is_supported_until_one_thing_in_it_is_changed(
    model: SupportModel, claim: str, evidence: Sequence[str], swapped: str
) -> None:
    assert probability(model, claim, evidence) >= EVEN > probability(model, swapped, evidence)


def test_several_texts_may_support_a_sentence_together(model: SupportModel) -> None:
    claim = "The lamp is made of oak and the shade is linen."
    parts = ["The lamp is made of oak.", "The shade is linen."]
    assert probability(model, claim, parts) > max(probability(model, claim, [part]) for part in parts)


def test_what_the_evidence_does_not_speak_of_is_not_supported(model: SupportModel) -> None:
    assert probability(model, "Delivery is free.", ["The tent has two poles."]) < EVEN


@pytest.mark.parametrize(("claim", "evidence"), [("", ["text"]), ("  ", []), ("A claim.", []), ("A claim.", ["", " "])])
def test_nothing_is_supported_by_nothing(model: SupportModel, claim: str, evidence: Sequence[str]) -> None:
    assert probability(model, claim, evidence) == 0


@pytest.mark.parametrize("text", ["?", "¿qué?", "🙂", "\n", "[1] [2]", "a" * 3000, ": : :"])
def test_any_text_can_be_judged(model: SupportModel, text: str) -> None:
    assert np.isfinite(model.probabilities([(text, [text]), ("It is blue.", [text]), (text, ["It is blue."])])).all()


def test_no_claims_have_no_probabilities(model: SupportModel) -> None:
    assert model.probabilities([]).shape == (0,)


def test_a_probability_does_not_depend_on_what_is_judged_beside_it(model: SupportModel) -> None:
    pairs = [(f"The tent has {count} poles.", [f"Poles: {count}"]) for count in range(2, 9)]
    together = model.probabilities(pairs)
    alone = [probability(model, *pair) for pair in pairs]
    assert np.allclose(alone, together, atol=1e-6)
