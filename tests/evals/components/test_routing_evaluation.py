"""`eval routing`: which rows a figure is over, and the rows of our own."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from app.errors import InputError
from evals.components.routing import Routed, evaluate
from evals.report import Evaluation
from evals.rows import Message, Request, read_rows
from graph.parts import Rewrite
from tests.evals.scored import values

OWN_ROWS = Path(__file__).parents[2] / "routing.jsonl"
Read = tuple[bool, bool]


def read(searchable: bool, live_agent: bool) -> Rewrite:  # noqa: FBT001 - both flags
    return Rewrite("", "rules", searchable=searchable, live_agent=live_agent)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Evaluation]:
    """Evaluates rows, given as what is right and what is read, each `(searchable, live_agent)`."""

    def run(*rows: tuple[Read, Read]) -> Evaluation:
        lines = [_row(str(n), gold) for n, (gold, _) in enumerate(rows)]
        data = tmp_path / "data.jsonl"
        data.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return evaluate(Request(data), lambda _history, text, _context: read(*rows[int(text)][1]))

    return run


def _row(key: str, gold: Read) -> Mapping[str, object]:
    return {"id": key, "text": key, "searchable": gold[0], "live_agent": gold[1]}


def test_precision_is_over_what_was_handed_over_and_recall_over_what_should_be(run: Callable[..., Evaluation]) -> None:
    found = run(
        ((True, False), (True, False)),
        ((True, True), (True, False)),
        ((False, True), (False, True)),
        ((False, False), (True, True)),
    )
    assert values(found) == {
        "searchable_accuracy": 0.75,
        "live_agent_precision": 0.5,
        "live_agent_recall": 0.5,
        "both_accuracy": 0.5,
    }
    assert [metric.n for metric in found.report.metrics.values()] == [4, 2, 2, 4]


def test_where_nobody_wants_a_person_there_is_no_recall(run: Callable[..., Evaluation]) -> None:
    found = values(run(((True, False), (True, False))))
    assert found["live_agent_precision"] is found["live_agent_recall"] is None


def test_predictions_hold_both_flags_and_the_right_ones(run: Callable[..., Evaluation]) -> None:
    assert run(((False, True), (True, True))).predictions == [
        {
            "id": "0",
            "text": "0",
            "searchable": True,
            "live_agent": True,
            "gold": {"searchable": False, "live_agent": True},
        }
    ]


def test_what_was_said_before_reaches_the_flags(tmp_path: Path) -> None:
    seen: list[Sequence[Message]] = []

    def flags(history: Sequence[Message], _text: str, _context: Sequence[str]) -> Rewrite:
        seen.append(history)
        return read(True, False)  # noqa: FBT003 - both flags

    data = tmp_path / "data.jsonl"
    data.write_text(json.dumps({**_row("1", (True, False)), "history": [{"role": "user", "content": "hi"}]}))
    evaluate(Request(data), flags)
    assert seen[-1] == [Message(role="user", content="hi")]


def test_a_flag_is_true_or_false(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text(json.dumps({"id": 1, "text": "t", "searchable": "perhaps", "live_agent": False}))
    with pytest.raises(InputError, match=r"data\.jsonl:1: searchable"):
        evaluate(Request(data))


def test_of_our_own_rows_a_quarter_have_equal_flags_and_no_text_stands_twice() -> None:
    rows = read_rows(OWN_ROWS, Routed)
    assert len(rows) == len({row.id for row in rows}) == len({row.text.casefold() for row in rows}) == 200
    assert sum(row.searchable and row.live_agent for row in rows) == 25
    assert sum(not row.searchable and not row.live_agent for row in rows) == 25


def test_the_flags_that_ship_are_read_from_our_own_rows() -> None:
    found = evaluate(Request(OWN_ROWS))
    assert [metric.n for metric in found.report.metrics.values()][0::3] == [200, 200]
    assert found.report.metrics["live_agent_recall"].n == 75
