"""Confidence: the responder's score, the catalog match and the support of what is shown, as one."""

import pytest

from graph.concluding.confidence import confidence_of
from graph.draft import Block, Claim, Draft, Sentence
from graph.options import GraphOptions
from graph.state import TurnState
from graph.turn import Outcome

OPTIONS = GraphOptions(high_confidence=0.8, medium_confidence=0.5)


def scored(score: float, *supports: float, matches: tuple[float, ...] = (), outcome: Outcome = "clear") -> float:
    return confidence_of(drafted(score, *supports, outcome=outcome), state(*matches), OPTIONS).score


def drafted(score: float, *supports: float, outcome: Outcome = "clear") -> Draft:
    sentences = [Sentence(claims=[Claim(text="It is dry.")], support=support) for support in supports]
    greeting = Sentence(claims=[Claim(text="Hello.")], factual=False, support=0.0)
    return Draft(outcome=outcome, blocks=[Block(sentences=[greeting, *sentences])], confidence=score)


def state(*matches: float) -> TurnState:
    return TurnState(catalog={"matches": [{"score": score} for score in matches]})


def test_full_support_leaves_the_responders_score() -> None:
    assert scored(0.9, 1.0, 1.0) == pytest.approx(0.9)


def test_weaker_support_lowers_it_and_a_greeting_does_not() -> None:
    assert scored(0.9, 1.0, 0.5) == pytest.approx(0.9 * 0.75)


def test_an_unsure_product_lowers_it() -> None:
    assert scored(0.9, 1.0, matches=(1.0, 0.6)) == pytest.approx(0.9 * 0.6)


def test_an_answer_that_states_nothing_keeps_its_own() -> None:
    assert scored(0.3, matches=(0.5,), outcome="no_answer") == pytest.approx(0.3)


def test_it_is_a_probability() -> None:
    assert scored(1.6, 1.0) == 1.0
    assert scored(-0.1, 1.0) == 0.0


@pytest.mark.parametrize(("score", "label"), [(0.8, "high"), (0.79, "medium"), (0.5, "medium"), (0.49, "low")])
def test_its_label_follows_the_options(score: float, label: str) -> None:
    assert confidence_of(drafted(score, 1.0), state(), OPTIONS).label == label
