"""`eval swaps`: what is changed in a shop's true sentences, and shares of those that are rejected."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.components.support import Claimed, Verify
from evals.components.swaps import evaluate, swaps, swaps_of_shop
from evals.rows.reading import MissingDataError, NoSplitError, Request
from evals.rows.turns import RowEvidence
from graph.parts import Verdict, Verification

SHOP = Path(__file__).parents[2] / "shop"


def without_negations() -> Verify:
    """Accepts what says no nowhere."""

    def verify(claim: str, _sources: Sequence[RowEvidence]) -> Verification:
        return Verification(1.0, reasons=(Verdict.NEGATION,) if " not " in claim else ())

    return verify


def test_sentences_that_are_rejected_are_counted_by_what_was_changed() -> None:
    found = {name: metric.value for name, metric in evaluate(Request(SHOP), without_negations).report.metrics.items()}
    assert found.keys() >= {"caught", "wrongly_rejected", "group.number.caught", "group.product.caught"}
    assert (found["group.negation.caught"] or 0) > 0.5 > (found["group.number.caught"] or 0)
    assert (found["wrongly_rejected"] or 0) < 0.2


def test_the_verifier_that_ships_catches_swaps_and_rejects_next_to_no_true_sentence() -> None:
    found = evaluate(Request(SHOP)).report.metrics
    assert (found["caught"].value or 0) >= 0.97
    assert (found["wrongly_rejected"].value or 0) <= 0.02


def test_a_shop_that_is_not_there_is_told_and_it_has_no_splits(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        evaluate(Request(tmp_path / "none"), without_negations)
    with pytest.raises(NoSplitError):
        evaluate(Request(SHOP, split="train"), without_negations)


@pytest.fixture(scope="module")
def swapped() -> list[Claimed]:
    return swaps_of_shop(SHOP)


def test_every_kind_of_swap_is_made_and_always_the_same(swapped: list[Claimed]) -> None:
    assert Counter(one.group for one in swapped).keys() == {"true", "number", "unit", "negation", "product"}
    assert swaps_of_shop(SHOP) == swapped
    assert swaps_of_shop(SHOP, seed=12) != swapped


def test_a_swap_differs_from_the_true_sentence_of_its_evidence(swapped: list[Claimed]) -> None:
    true = {(one.claim, *map(str, one.evidence)) for one in swapped if one.label}
    assert not [one for one in swapped if not one.label and (one.claim, *map(str, one.evidence)) in true]


def made(claim: str) -> dict[str, str]:
    return swaps(claim, random.Random(1))  # noqa: S311 - reproducible, no secret


def test_one_thing_is_changed_at_a_time() -> None:
    found = made("The Heron 2 is 210 cm long.")
    assert set(found) == {"number", "unit", "negation"}
    assert found["negation"] == "The Heron 2 is not 210 cm long."
    assert "210 cm" not in found["unit"]
    assert "210" in found["unit"]


def test_a_denial_is_taken_away() -> None:
    assert made("The pump does not fold.")["negation"] == "The pump does fold."
    assert made("It isn't heavy.")["negation"] == "It is heavy."


def test_a_verb_without_an_auxiliary_is_denied_in_full() -> None:
    assert made("The set includes a bag.")["negation"] == "The set does not include a bag."
    assert made("The set has a bag.")["negation"] == "The set does not have a bag."


def test_units_are_swapped_for_others_of_their_kind_never_for_themselves() -> None:
    for seed in range(20):
        unit = swaps("It weighs 3 lbs.", random.Random(seed))["unit"]  # noqa: S311 - reproducible, no secret
        assert unit not in {"It weighs 3 lbs.", "It weighs 3 pounds.", "It weighs 3 lb."}


def test_the_same_seed_changes_the_same_things() -> None:
    assert made("The Heron 2 is 210 cm long.") == made("The Heron 2 is 210 cm long.")
