"""The end-to-end confusion matrix of a conversation's turns.

After figure 2 and section 4.5 of the How-To Assistant paper, with a fixture's expectations in place of a judge: an
answer is good when everything expected of it holds.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from evals.conversations.expectations import Failure
from evals.conversations.fixtures import AnyOf, Expect
from graph.turn import Outcome, Turn

Cell = Literal[
    "helped", "low_quality", "retrieved_nothing", "misclassified", "incorrectly_answered", "correctly_rejected"
]
CELLS: tuple[Cell, ...] = get_args(Cell)
GOOD: frozenset[Cell] = frozenset({"helped", "correctly_rejected"})
"""End-to-end accuracy is the share of these."""

REJECTIONS: frozenset[Outcome] = frozenset({"no_answer", "handoff", "non_decision"})


def confusion_cell(expect: Expect, turn: Turn | None, failures: Sequence[Failure]) -> Cell:
    """Where a turn stands.

    Args:
        expect: What was expected. Without an outcome, any outcome with which the rest holds is right.
        turn: What was answered; None when there was no answer at all.
        failures: The expectations that do not hold.

    Returns:
        For an expected answer: helped when all holds, low quality when it was answered otherwise, retrieved nothing for
        `no_answer`, misclassified when it was taken for no question or for the hand-off's. For an expected rejection:
        correctly rejected when the outcome is the expected one, incorrectly answered when facts were given,
        misclassified for a rejection of another kind.
    """
    wanted = _outcomes(expect)
    got = turn.outcome if turn else None
    if wanted and wanted <= REJECTIONS:
        return _of_rejection(wanted, got)
    if got in REJECTIONS and (got in wanted or not (wanted or failures)):
        return "correctly_rejected"
    if got == "no_answer":
        return "retrieved_nothing"
    if got in REJECTIONS:
        return "misclassified"
    return "low_quality" if failures else "helped"


def _of_rejection(wanted: frozenset[Outcome], got: Outcome | None) -> Cell:
    if got in wanted:
        return "correctly_rejected"
    return "misclassified" if got in REJECTIONS or got is None else "incorrectly_answered"


def _outcomes(expect: Expect) -> frozenset[Outcome]:
    if expect.outcome is None:
        return frozenset()
    return frozenset(expect.outcome.any if isinstance(expect.outcome, AnyOf) else [expect.outcome])
