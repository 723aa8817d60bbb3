"""Entropy of a classification, and the branch it chooses."""

import math
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.intents import DECISION_INTENTS, INTENTS, NON_DECISION
from graph.intents.entropy import choose_branch, classify, normalised_entropy
from graph.options import GraphOptions
from graph.parts import IntentModel
from graph.turn import Intent
from graph.understanding.clauses import split_clauses

OPTIONS = GraphOptions()

masses = st.lists(st.floats(0, 1), min_size=len(INTENTS), max_size=len(INTENTS)).filter(lambda m: sum(m) > 0.01)


def classified(text: str, model: IntentModel) -> Intent:
    return classify(split_clauses(text), model, OPTIONS, searchable=True, live_agent=False)


def chosen(distribution: Mapping[str, float], *, searchable: bool = True, live_agent: bool = False) -> Intent:
    return choose_branch(distribution, OPTIONS, searchable=searchable, live_agent=live_agent)


def shares(values: list[float]) -> dict[str, float]:
    return {name: value / sum(values) for name, value in zip(INTENTS, values, strict=True)}


def spread(**given_masses: float) -> dict[str, float]:
    """A full distribution: the given masses, and what is left shared by the other intents."""
    others = [name for name in INTENTS if name not in given_masses]
    left = (1 - sum(given_masses.values())) / len(others)
    return dict.fromkeys(others, left) | given_masses


class Scripted(IntentModel):
    """Knows a few texts by heart."""

    def __init__(self, known: Mapping[str, dict[str, float]]) -> None:
        self.known = known
        self.asked: list[str] = []

    def distributions(self, queries: Sequence[str]) -> list[dict[str, float]]:
        self.asked += queries
        return [self.known.get(query, spread(non_decision=0.9)) for query in queries]


@given(masses)
def test_entropy_lies_between_0_and_1(values: list[float]) -> None:
    assert 0 <= normalised_entropy(shares(values)) <= 1


@given(masses, st.floats(0, 0.99))
def test_entropy_does_not_depend_on_the_mass_of_non_decision(values: list[float], browsing: float) -> None:
    rest = shares([*values[:-1], 0]) if sum(values[:-1]) > 0.01 else shares([1.0] * len(INTENTS))
    rest = {name: mass / (1 - rest[NON_DECISION]) for name, mass in rest.items() if name != NON_DECISION}
    mixed = {name: mass * (1 - browsing) for name, mass in rest.items()} | {NON_DECISION: browsing}
    assert normalised_entropy(mixed) == pytest.approx(normalised_entropy(rest), abs=1e-9)


@given(masses, st.randoms())
def test_entropy_does_not_depend_on_which_intent_has_which_mass(values: list[float], shuffler: random.Random) -> None:
    *decision, browsing = values
    shuffled = list(decision)
    shuffler.shuffle(shuffled)
    assert normalised_entropy(shares([*shuffled, browsing])) == pytest.approx(normalised_entropy(shares(values)))


@given(st.floats(0.01, 1))
def test_one_intent_with_all_the_mass_has_no_entropy(mass: float) -> None:
    assert normalised_entropy({"warranty": mass, NON_DECISION: 1 - mass}) == 0


@given(st.integers(2, len(DECISION_INTENTS)))
def test_equal_shares_of_k_intents_have_the_entropy_ln_k_of_that_of_all(k: int) -> None:
    distribution = dict.fromkeys(DECISION_INTENTS[:k], 1 / k)
    assert normalised_entropy(distribution) == pytest.approx(math.log(k) / math.log(len(DECISION_INTENTS)))


def test_a_question_that_fits_every_intent_equally_is_broad() -> None:
    distribution = dict.fromkeys(INTENTS, 1 / len(INTENTS))
    intent = chosen(distribution)
    assert (intent.branch, len(intent.selected)) == ("broad", OPTIONS.broad_intents)


def test_no_mass_at_all_is_complete_uncertainty() -> None:
    assert normalised_entropy({NON_DECISION: 1.0}) == pytest.approx(1.0)


def test_a_sure_question_is_focused_on_its_intent() -> None:
    intent = chosen(spread(warranty=0.95))
    assert (intent.branch, intent.selected) == ("focused", ["warranty"])


def test_a_dominant_intent_is_focused_even_above_the_entropy_threshold() -> None:
    distribution = spread(warranty=0.85)
    options = OPTIONS.model_copy(update={"entropy_threshold": 0.0})
    assert normalised_entropy(distribution) > options.entropy_threshold
    assert choose_branch(distribution, options, searchable=True, live_agent=False).selected == ["warranty"]


def test_an_unsure_question_reads_its_likeliest_intents_in_their_order() -> None:
    distribution = spread(variant=0.3, warranty=0.4, return_policy=0.2)
    intent = chosen(distribution)
    assert (intent.branch, intent.selected) == ("broad", ["warranty", "variant", "return_policy"])


def test_a_broad_question_reads_no_more_intents_than_allowed() -> None:
    distribution = spread(variant=0.25, warranty=0.3, return_policy=0.2, how_to=0.15)
    options = OPTIONS.model_copy(update={"broad_intents": 2})
    assert choose_branch(distribution, options, searchable=True, live_agent=False).selected == ["warranty", "variant"]


def test_a_broad_question_reads_no_intent_without_mass() -> None:
    distribution = spread(variant=0.45, warranty=0.45)
    assert chosen(distribution).selected == ["variant", "warranty"]


@given(values=masses, live_agent=st.booleans())
def test_the_branch_is_focused_for_one_selected_intent_and_broad_for_several(
    values: list[float], *, live_agent: bool
) -> None:
    intent = chosen(shares(values), live_agent=live_agent)
    expected = {0: "non_decision", 1: "focused"}.get(len(intent.selected), "broad")
    assert intent.branch == expected
    assert NON_DECISION not in intent.selected


def test_browsing_takes_over_from_its_threshold_on() -> None:
    threshold = OPTIONS.non_decision_threshold
    at = chosen(spread(non_decision=threshold))
    below = chosen(spread(non_decision=threshold - 0.01))
    assert (at.branch, at.selected) == ("non_decision", [])
    assert below.branch == "broad"


def test_nothing_to_look_up_is_non_decision_whatever_the_classes_say() -> None:
    intent = chosen(spread(warranty=0.99), searchable=False)
    assert (intent.branch, intent.selected) == ("non_decision", [])


def test_a_bare_request_for_a_person_is_handed_off() -> None:
    intent = chosen(spread(non_decision=0.9), searchable=False, live_agent=True)
    assert (intent.branch, intent.selected) == ("handoff", [])


def test_a_question_beside_a_request_for_a_person_is_read() -> None:
    distribution = spread(non_decision=0.7, return_policy=0.28)
    intent = chosen(distribution, live_agent=True)
    assert intent.selected == ["return_policy"]


def test_each_question_of_a_message_selects_its_intent() -> None:
    model = Scripted(
        {
            "Is it waterproof": spread(product_spec=0.95),
            "and can I return it?": spread(return_policy=0.97),
        }
    )
    intent = classified("Is it waterproof and can I return it?", model)
    assert (intent.branch, set(intent.selected)) == ("broad", {"product_spec", "return_policy"})
    assert intent.distribution["product_spec"] == pytest.approx((0.95 + (1 - 0.97) / 14) / 2)
    assert sum(intent.distribution.values()) == pytest.approx(1)


def test_two_questions_of_one_intent_stay_focused() -> None:
    model = Scripted(
        {"How heavy is it?": spread(product_spec=0.95), "How tall is it?": spread(product_spec=0.9)},
    )
    intent = classified("How heavy is it? How tall is it?", model)
    assert (intent.branch, intent.selected) == ("focused", ["product_spec"])


def test_two_things_asked_in_one_breath_select_both_intents() -> None:
    model = Scripted({"waterproof": spread(product_spec=0.9), "returnable?": spread(return_policy=0.9)})
    intent = classified("waterproof and returnable?", model)
    assert set(intent.selected) == {"product_spec", "return_policy"}


def test_a_pair_of_which_one_is_unclear_alone_is_read_whole() -> None:
    model = Scripted(
        {
            "in black and white?": spread(variant=0.95),
            "in black": spread(variant=0.9),
            "white?": spread(non_decision=0.4, authenticity=0.3),
        }
    )
    intent = classified("in black and white?", model)
    assert intent.selected == ["variant"]


def test_a_greeting_beside_a_question_does_not_count() -> None:
    model = Scripted({"Is it waterproof?": spread(product_spec=0.95), "Shall we dance?": spread(non_decision=0.95)})
    intent = classified("Is it waterproof? Shall we dance?", model)
    assert intent.selected == ["product_spec"]
    assert intent.distribution[NON_DECISION] < 0.1


def test_what_is_said_beside_a_question_does_not_hide_it() -> None:
    text = "Where is my order? I want to talk to somebody."
    model = Scripted({text: spread(non_decision=0.6), "Where is my order?": spread(delivery_sla=0.95)})
    assert classified(text, model).selected == ["delivery_sla"]


def test_only_small_talk_is_non_decision() -> None:
    intent = classified("Are you well? Is it sunny?", Scripted({}))
    assert intent.branch == "non_decision"
