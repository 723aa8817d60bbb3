"""Swaps: what is changed in a true sentence, and that it is changed in fact."""

import random

from evals.shops.swaps import swaps


def made(claim: str) -> dict[str, str]:
    return swaps(claim, random.Random(1))  # noqa: S311 - reproducible, no secret


def test_one_thing_is_changed_at_a_time() -> None:
    found = made("The Heron 2 is 210 cm long.")
    assert set(found) == {"number", "unit", "negation", "name"}
    assert found["negation"] == "The Heron 2 is not 210 cm long."
    assert "210 cm" not in found["unit"]
    assert "210" in found["unit"]
    assert found["name"].endswith("is 210 cm long.")
    assert "The Heron 2 is" not in found["name"]


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
