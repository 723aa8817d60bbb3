"""Confidence measured and trained: its figures, its report, and the files that ship."""

from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from app.errors import InputError
from evals.commands import register
from evals.training.confidence import (
    PACK,
    SHOP,
    ConfidenceExample,
    as_markdown,
    confidence_metrics,
    release,
    reliability,
)
from graph.concluding.confidence import NAMES, load

SIGNALS = dict.fromkeys(NAMES, 0.5)


def example(score: float, *, right: bool, answered: bool = True, subject: str = "k2") -> ConfidenceExample:
    return ConfidenceExample(
        SHOP, subject, answerable=True, answered=answered, right=right, score=score, signals=SIGNALS
    )


CALIBRATED = [example(0.75, right=place < 3) for place in range(4)] + [example(0.25, right=False) for _ in range(3)]
CALIBRATED += [example(0.25, right=True)]


def test_scores_that_are_right_as_often_as_they_say_have_no_error() -> None:
    assert confidence_metrics(CALIBRATED)["ece"].value == pytest.approx(0.0)
    boastful = [replace(one, score=1.0) for one in CALIBRATED]
    assert confidence_metrics(boastful)["ece"].value == pytest.approx(0.5)


def test_refusals_count_only_where_it_is_said() -> None:
    refused = [*CALIBRATED, *(example(0.01, right=False, answered=False) for _ in range(8))]
    before, after = confidence_metrics(CALIBRATED), confidence_metrics(refused)
    assert after["auroc"] == before["auroc"]
    assert (after["ece"].n, after["all.ece"].n) == (8, 16)
    assert (after["all.auroc"].value or 0) > (before["all.auroc"].value or 0)


def test_reliability_holds_each_answer_in_one_tenth() -> None:
    bins = reliability([*CALIBRATED, example(1.0, right=True), example(0.1, right=False, answered=False)])
    assert [(one["low"], one["n"]) for one in bins] == [(0.2, 4), (0.7, 4), (0.9, 1)]
    assert bins[1]["said"] == bins[1]["right"] == 0.75


def test_the_report_tells_all_and_each_source_apart() -> None:
    rows = [*CALIBRATED, replace(CALIBRATED[0], source=PACK, answered=False)]
    written = as_markdown(rows)
    assert "## All (9 questions, 8 answers)" in written
    assert f"## {PACK} (1 questions, 0 answers)" in written
    assert "| 0.7 .. 0.8 | 4 | 0.750 | 0.750 |" in written
    assert f"## {SHOP} (8 questions, 8 answers)" in written


def test_training_learns_from_answers_and_writes_weights_and_card(tmp_path: Path) -> None:
    rows = [
        replace(
            example(0.5, right=place % 4 != 0, answered=place % 7 != 0, subject=f"p{place}"),
            source=PACK if place % 2 else SHOP,
            signals=SIGNALS | {"responder": (place % 4) / 4},
        )
        for place in range(80)
    ]
    made = release(rows, rows)
    made.write(tmp_path)
    weights = load(tmp_path / "model.json")
    assert dict(zip(weights.names, weights.coefficients, strict=True))["responder"] > 0
    card = (tmp_path / "MODEL_CARD.md").read_text()
    answers = sum(one.answered for one in rows)
    assert f"{answers} answers of the parts that ship" in card
    assert f"| test | {answers} |" in card
    assert all(f"| {name} | " in card for name in NAMES)
    assert release(rows, rows).weights == made.weights


def test_training_and_the_report_say_which_pack_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOOTNOTE_BENCH", raising=False)
    app = typer.Typer()
    register(app)
    for command in (["train", "confidence"], ["report", "confidence"]):
        result = CliRunner().invoke(app, command)
        assert isinstance(result.exception, InputError)
        assert PACK in str(result.exception)
