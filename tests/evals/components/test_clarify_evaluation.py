"""`eval clarify`: what a turn's outcome counts as, and over which rows a figure is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.components.clarify import evaluate, label_of
from evals.report import Evaluation
from evals.row_turns import Ask, Reply, RowQuestion, load_turns
from evals.rows import Request
from graph.turn import Clarification, Turn
from tests.evals.scored import values, written

MakeTurn = Callable[..., Turn]
Evaluate = Callable[..., Evaluation]


@pytest.fixture
def run(tmp_path: Path, make_turn: MakeTurn) -> Evaluate:
    """Evaluates rows, each given as (outcome, right label, labels of all annotators)."""

    def run(*rows: tuple[str, str, list[str]]) -> Evaluation:
        lines = [
            {"id": n, "query": outcome, "label": label, "labels": labels, "history": []}
            for n, (outcome, label, labels) in enumerate(rows)
        ]

        def ask(question: RowQuestion) -> Reply:
            return Reply(make_turn(outcome=question.text))

        return evaluate(Request(written(tmp_path, *lines)), lambda: ask)

    return run


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"outcome": "clear"}, "answer"),
        ({"outcome": "ambiguous"}, "clarify"),
        ({"outcome": "no_answer"}, "no-answer"),
        ({"outcome": "handoff"}, "no-answer"),
        ({"outcome": "non_decision"}, "answer"),
        ({"outcome": "non_decision", "citations": []}, "no-answer"),
        ({"outcome": "non_decision", "clarification": Clarification(question="What for?", options=[])}, "clarify"),
    ],
)
def test_outcomes_are_labels(make_turn: MakeTurn, changes: dict[str, Any], label: str) -> None:
    assert label_of(make_turn(**changes)) == label


ROWS = [
    ("ambiguous", "clarify", ["clarify"]),
    ("ambiguous", "answer", ["answer", "clarify"]),
    ("clear", "clarify", ["clarify"]),
    ("clear", "answer", ["answer"]),
    ("no_answer", "clarify", []),
]


def test_precision_is_over_what_was_asked_back_and_recall_over_what_should_be(run: Evaluate) -> None:
    found = run(*ROWS).report.metrics
    assert (found["clarify_precision"].value, found["clarify_precision"].n) == (0.5, 2)
    assert (found["clarify_recall"].value, found["clarify_recall"].n) == (pytest.approx(1 / 3, abs=1e-6), 3)


def test_macro_f1_is_over_the_labels_that_occur(run: Evaluate) -> None:
    assert values(run(*ROWS))["macro_f1"] == pytest.approx((0.4 + 0.5 + 0) / 3, abs=1e-6)
    assert values(run(*ROWS[:4]))["macro_f1"] == pytest.approx((0.5 + 0.5) / 2, abs=1e-6)


def test_what_any_annotator_would_do_is_right(run: Evaluate) -> None:
    found = run(*ROWS).report.metrics
    assert found["accuracy"].value == 0.6


def test_history_and_evidence_reach_the_turn(tmp_path: Path, make_turn: MakeTurn) -> None:
    seen: list[RowQuestion] = []

    def load() -> Ask:
        def ask(question: RowQuestion) -> Reply:
            seen.append(question)
            return Reply(make_turn())

        return ask

    row = {
        "id": 1,
        "history": [{"role": "user", "content": "hi"}],
        "query": "q",
        "label": "answer",
        "evidence": [{"id": "a", "title": "A", "text": "t"}],
    }
    evaluate(Request(written(tmp_path, row)), load)
    assert [message.content for message in seen[-1].history] == ["hi"]
    assert [(item.title, item.source_type) for item in seen[-1].evidence] == [("A", "help_article")]


def test_the_graph_that_ships_goes_on_from_what_was_said(tmp_path: Path) -> None:
    articles = [
        {"id": "a", "title": "Returns", "text": "You can return a tent within 30 days of delivery."},
        {"id": "b", "title": "Gift cards", "text": "Gift cards are valid for two years."},
    ]
    history = [
        {"role": "user", "content": "Can I return a tent?"},
        {"role": "assistant", "content": "You can return a tent within 30 days of delivery."},
    ]
    row = {
        "id": 1,
        "query": "How long are gift cards valid?",
        "label": "answer",
        "evidence": articles,
        "history": history,
    }
    found = evaluate(Request(written(tmp_path, row)), load_turns)
    assert found.predictions[0]["label"] == "answer"
    assert "two years" in found.predictions[0]["answer"]


def test_a_label_is_one_of_three(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data\.jsonl:1: label"):
        evaluate(Request(written(tmp_path, {"id": 1, "query": "q", "label": "perhaps"})))
