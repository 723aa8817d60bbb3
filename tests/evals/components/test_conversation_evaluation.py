"""`eval conversations`: which turns and conversations count, and how."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.benches.turns import time_turns
from evals.components import component_names
from evals.components.conversations import evaluate
from evals.conversations.fixtures import load_fixtures
from evals.conversations.replay import Replayer
from evals.rows import Request
from graph.turn import Turn

MakeTurn = Callable[..., Turn]
ReplayerOf = Callable[..., tuple[Replayer, list[Any]]]

TWO = "turns:\n- user: a\n  expect: {outcome: clear}\n- user: b\n  expect: {outcome: no_answer}\n"


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    folder = tmp_path / "fixtures"
    folder.mkdir()
    (folder / "a.conversation.yaml").write_text(TWO)
    (folder / "b.conversation.yaml").write_text(TWO)
    (folder / "c.conversation.yaml").write_text("index: $FOOTNOTE_NOWHERE_AT_ALL\nturns: [{user: a}]")
    return folder


def test_rates_are_over_turns_and_conversations_that_ran(
    fixtures: Path, make_turn: MakeTurn, replayer_of: ReplayerOf
) -> None:
    clear, nothing = make_turn(), make_turn(outcome="no_answer")
    replayer, _ = replayer_of(clear, nothing, nothing, clear)
    found = evaluate(Request(fixtures), lambda _index: replayer)
    values = {name: (metric.value, metric.n) for name, metric in found.report.metrics.items()}
    assert values == {
        "turn_pass_rate": (0.5, 4),
        "conversation_pass_rate": (0.5, 2),
        "e2e_accuracy": (0.5, 4),
        "confusion.helped": (0.25, 4),
        "confusion.low_quality": (0.0, 4),
        "confusion.retrieved_nothing": (0.25, 4),
        "confusion.misclassified": (0.0, 4),
        "confusion.incorrectly_answered": (0.25, 4),
        "confusion.correctly_rejected": (0.25, 4),
    }
    assert (found.report.n, sum(found.report.skipped.values())) == (4, 1)
    assert (found.report.generation, found.report.config_hash) == ("g1", "c")


def test_turns_of_which_nothing_is_expected_are_asked_and_not_scored(
    fixtures: Path, make_turn: MakeTurn, replayer_of: ReplayerOf
) -> None:
    (fixtures / "b.conversation.yaml").write_text("turns: [{user: a}, {user: b}]")
    replayer, opened = replayer_of(make_turn(), make_turn(outcome="no_answer"), make_turn(), KeyError("x"))
    found = evaluate(Request(fixtures), lambda _index: replayer)
    assert len(opened[0].asked) == 4
    assert [(row["said"], row["cell"]) for row in found.predictions] == [
        ("a", "helped"),
        ("b", "correctly_rejected"),
        ("b", "low_quality"),
    ]


def test_a_new_module_is_a_new_component() -> None:
    assert "conversations" in component_names()


def test_times_are_of_answered_turns_after_a_warm_up(
    fixtures: Path, make_turn: MakeTurn, replayer_of: ReplayerOf
) -> None:
    (fixtures / "c.conversation.yaml").unlink()
    embedded: list[str] = []
    slow = make_turn(timings_ms={"rewrite": 100.0})
    answers = [slow, make_turn(), make_turn(), make_turn(), KeyError("x")]
    found = time_turns(load_fixtures([fixtures]), lambda: replayer_of(*answers)[0], embedded.extend, repeat=2)
    assert (found.turn.n, found.failed, found.repeat, found.conversations) == (6, 2, 2, 2)
    assert {name: (timing.p95, timing.n) for name, timing in found.nodes.items()} == {
        "rewrite": (0.4, 6),
        "respond": (3.0, 6),
    }
    assert embedded == ["a", "b"] * 4
