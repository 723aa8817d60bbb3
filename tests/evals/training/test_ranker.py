"""Training of the ranker."""

import numpy as np
import pytest

from evals.shops.labels import HoldsValue
from evals.training.ranker import Choice, fit, made_up_messages, measured
from graph.answering.choice import NAMES, NOTHING

NEARNESS, RULE, NONE = NAMES.index("nearness"), NAMES.index("rule"), NAMES.index(NOTHING)


def choices(number: int, *, seed: int = 0) -> list[Choice]:
    """Turns in which the rule answers, however near the others are."""
    source = np.random.default_rng(seed)
    made = []
    for row in range(number):
        described = np.zeros((5, len(NAMES)))
        described[:4, NEARNESS] = source.random(4)
        answer = int(source.integers(4))
        described[answer, RULE] = 1
        described[4, NONE] = 1
        made.append(Choice(f"row {row}", described, np.arange(5) == answer))
    return made


def unanswered(number: int) -> list[Choice]:
    """Turns in which no candidate answers; none of them is a rule."""
    made = []
    for one in choices(number, seed=2):
        described = one.described.copy()
        described[:, RULE] = 0
        made.append(Choice(f"none {one.subject}", described, np.arange(5) == 4))
    return made


def test_what_tells_answers_from_the_other_candidates_of_their_turn_is_learnt() -> None:
    weights = fit(choices(60))
    assert weights.coefficients[RULE] > 10 * abs(weights.coefficients[NEARNESS])
    assert all(one.answers[np.argmax(weights.log_odds(one.described))] for one in choices(20, seed=1))


def test_where_nothing_answers_that_is_likeliest() -> None:
    weights = fit([*choices(60), *unanswered(60)])
    assert all(np.argmax(weights.log_odds(one.described)) == 4 for one in unanswered(20))
    assert all(np.argmax(weights.log_odds(one.described)) != 4 for one in choices(20, seed=1))


def test_no_sign_is_learnt_against_its_meaning() -> None:
    far = [
        Choice(one.subject, one.described * np.where(np.arange(len(NAMES)) == NEARNESS, -1, 1), one.answers)
        for one in choices(60)
    ]
    assert fit(far).coefficients[NEARNESS] >= 0


def test_the_same_choices_give_the_same_file() -> None:
    assert fit(choices(20)).to_bytes() == fit(choices(20)).to_bytes()


def test_figures_compare_with_the_nearest_statement_and_with_what_could_be_reached() -> None:
    metrics = measured([*choices(60), *unanswered(30)])
    assert metrics["n"] == 90
    assert metrics["reachable"] == pytest.approx(2 / 3)
    assert metrics["first"] == 1
    assert metrics["nearest"] < 1
    assert (metrics["answered"], metrics["refused"]) == (1, 1)


def test_messages_of_a_shop_are_asked_on_the_page_their_answer_is_about_and_follow_ups_behind_what_came_before() -> (
    None
):
    messages = made_up_messages("music")
    assert any(message.user.page.product_id for message in messages)
    assert any(len(message.said) > 1 for message in messages)
    assert any(isinstance(message.label, HoldsValue) for message in messages)
    assert len({message.subject for message in messages}) > 100
