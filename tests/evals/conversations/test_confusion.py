"""Where a turn stands in the end-to-end confusion matrix."""

from collections.abc import Callable

import pytest

from evals.conversations.expectations import Failure
from evals.conversations.fixtures import Expect
from evals.conversations.replay_output import CELLS, confusion_cell
from graph.turn import Turn

FAILED = [Failure(1, "answer_contains", "a", "b")]


@pytest.mark.parametrize(
    ("expected", "outcome", "failures", "cell"),
    [
        ("clear", "clear", [], "helped"),
        ("clear", "clear", FAILED, "low_quality"),
        ("clear", "ambiguous", FAILED, "low_quality"),
        ("ambiguous", "ambiguous", [], "helped"),
        ("clear", "no_answer", FAILED, "retrieved_nothing"),
        ("clear", "non_decision", FAILED, "misclassified"),
        ("clear", "handoff", FAILED, "misclassified"),
        ("no_answer", "no_answer", [], "correctly_rejected"),
        ("no_answer", "no_answer", FAILED, "correctly_rejected"),
        ("no_answer", "clear", FAILED, "incorrectly_answered"),
        ("handoff", "handoff", [], "correctly_rejected"),
        ("handoff", "clear", FAILED, "incorrectly_answered"),
        ("non_decision", "non_decision", [], "correctly_rejected"),
        ("non_decision", "ambiguous", FAILED, "incorrectly_answered"),
        ("non_decision", "no_answer", FAILED, "misclassified"),
        ("no_answer", "handoff", FAILED, "misclassified"),
        ({"any": ["no_answer", "clear"]}, "no_answer", [], "correctly_rejected"),
        ({"any": ["no_answer", "clear"]}, "clear", [], "helped"),
        ({"any": ["no_answer", "clear"]}, "non_decision", FAILED, "misclassified"),
        (None, "clear", [], "helped"),
        (None, "clear", FAILED, "low_quality"),
        (None, "no_answer", [], "correctly_rejected"),
        (None, "no_answer", FAILED, "retrieved_nothing"),
        (None, "handoff", FAILED, "misclassified"),
    ],
)
def test_each_turn_has_one_cell(
    make_turn: Callable[..., Turn],
    expected: object,
    outcome: str,
    failures: list[Failure],
    cell: str,
) -> None:
    expect = Expect.model_validate({} if expected is None else {"outcome": expected})
    assert confusion_cell(expect, make_turn(outcome=outcome), failures) == cell
    assert cell in CELLS


@pytest.mark.parametrize(("expected", "cell"), [("clear", "low_quality"), ("handoff", "misclassified")])
def test_a_turn_without_an_answer_is_no_success(expected: object, cell: str) -> None:
    assert confusion_cell(Expect.model_validate({"outcome": expected}), None, FAILED) == cell
