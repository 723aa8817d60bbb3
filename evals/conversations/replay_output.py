"""What came of a replay: failures, metrics, and which outcomes were taken for which.

The confusion matrix is after figure 2 and section 4.5 of the How-To Assistant paper, with a fixture's expectations in
place of a judge: an answer is good when everything expected of it holds.
"""

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.cli.console import complain
from evals.conversations.expectations import Failure
from evals.conversations.fixtures import AnyOf, Conversation, Expect, MalformedFixturesError, load_fixtures
from evals.conversations.replay import ConversationResult, TurnResult
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


def read_fixtures(paths: Sequence[Path]) -> dict[Path, Conversation]:
    """Read fixtures for a command; where some are malformed, say so of each and end it with status 2."""
    try:
        return load_fixtures(paths)
    except MalformedFixturesError as malformed:
        for error in malformed.errors:
            complain(str(error))
        raise typer.Exit(2) from malformed


def status(result: ConversationResult) -> str:
    """`passed`, `failed` or `skipped`."""
    return "skipped" if result.skipped else "passed" if result.passed else "failed"


def as_words(value: object) -> str:
    """A value of a failure on one line; what was cited, in short."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list) and value and all(isinstance(one, dict) and "quote" in one for one in value):
        return "; ".join(_cited(one) for one in value)
    return json.dumps(value, ensure_ascii=False)


def demand(failure: Failure) -> str:
    """What a failure asks for on one line; of a phrase that must not be said, that it must not."""
    return f"{'must not say: ' if failure.key == 'answer_excludes' else ''}{as_words(failure.expected)}"


def _cited(citation: Mapping[str, Any]) -> str:
    product = citation["product"]
    about = f" about {product}" if product and product not in citation["evidence_id"] else ""
    return f"{citation['evidence_id']}{about} “{as_words(citation['quote'])}”"


def describe_failures(result: ConversationResult) -> str:
    """All failures as plain text: turn, key, expected, got."""
    lines: list[str] = []
    for failure in result.failures:
        said = next((turn.said for turn in result.turns if turn.number == failure.turn), "")
        lines += [
            f"turn {failure.turn}{f': {as_words(said)}' if said else ''}",
            f"  key:      {failure.key}",
            f"  expected: {demand(failure)}",
            f"  got:      {as_words(failure.got)}",
        ]
    return "\n".join(lines)


def print_conversation(console: Console, result: ConversationResult, *, quiet: bool = False) -> None:
    """Whether a conversation holds, and each failure with turn, key, expected and got."""
    kind = status(result)
    if quiet and kind == "passed":
        return
    mark, style = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("-", "yellow")}[kind]
    line = Text(f"{mark} ", style=style).append(result.name, style="bold")
    ms = sum(turn.ms for turn in result.turns)
    turns = f"{len(result.turns)} turn{'' if len(result.turns) == 1 else 's'}"
    detail = result.skipped or f"{turns}, {ms / 1000:.1f} s"
    console.print(line.append(f"  {detail}", style="dim"), soft_wrap=True)
    if kind == "failed":
        console.print(Text(f"  {result.file}", style="dim"), soft_wrap=True)
        _print_failures(console, result)


def print_summary(console: Console, results: Sequence[ConversationResult]) -> None:
    """How many conversations and turns hold."""
    count = {kind: sum(status(result) == kind for result in results) for kind in ("passed", "failed", "skipped")}
    turns = [turn for result in results for turn in result.turns]
    good = sum(not turn.failures for turn in turns)
    words = f"{count['passed']} passed, {count['failed']} failed"
    words += f", {count['skipped']} skipped" if count["skipped"] else ""
    style = "red" if count["failed"] else "green"
    console.print(Text(f"{words}; {good} of {len(turns)} turns hold", style=style))


def to_json(results: Sequence[ConversationResult]) -> dict[str, Any]:
    """All results as one object."""
    return {
        "passed": all(status(result) != "failed" for result in results),
        "conversations": [
            {
                "name": result.name,
                "file": str(result.file),
                "status": status(result),
                "skipped": result.skipped,
                "failures": [failure_to_json(failure) for failure in result.failures],
                "turns": [_turn_to_json(turn) for turn in result.turns],
            }
            for result in results
        ],
    }


def failure_to_json(failure: Failure) -> dict[str, Any]:
    """A failure as an object."""
    return {"turn": failure.turn, "key": failure.key, "expected": failure.expected, "got": failure.got}


def _turn_to_json(result: TurnResult) -> dict[str, Any]:
    return {
        "turn": result.number,
        "said": result.said,
        "passed": not result.failures,
        "ms": round(result.ms, 1),
        "answer": result.turn.answer if result.turn else None,
        "result": result.turn.model_dump(mode="json") if result.turn else None,
    }


def _print_failures(console: Console, result: ConversationResult) -> None:
    said = {turn.number: turn.said for turn in result.turns}
    for number, failures in itertools.groupby(result.failures, key=lambda failure: failure.turn):
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("turn", "key", "expected", "got"):
            table.add_column(name, overflow="fold")
        for one in failures:
            cells = (str(number), one.key, demand(one), as_words(one.got))
            table.add_row(*map(Text, cells))
        if number in said:
            console.print(Text(f"  “{as_words(said[number])}”", style="italic"), soft_wrap=True)
        console.print(Padding(table, (0, 0, 1, 2)))
