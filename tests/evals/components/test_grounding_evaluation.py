"""`eval grounding`: labels of recorded turns as figures, and a judge beside them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.components.grounding import evaluate
from evals.report import Evaluation
from evals.rows import Request
from tests.evals.scored import values

Evaluate = Callable[..., Evaluation]


class Doubter:
    """Finds no sentence supported in which the word doubt stands."""

    name = "a doubter"

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        del evidence, known
        return "doubt" not in sentence


def cited(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"title": "A", "quote": "q"} | changes


def said(*citations: dict[str, Any], grounded: bool = True, text: str = "It is.", **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    labels = {"text": text, "factual": True, "grounded": grounded}
    return labels | {"citations": list(citations)} | changes


LEAD_IN = {"text": "Two of them:", "factual": False, "citations": []}
COUNTED = {"op": "count", "of": ["review:a"], "value": 1.0}


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates turns, each given as its sentences."""

    def run(*turns: Sequence[dict[str, Any]], **changes: Any) -> Evaluation:  # noqa: ANN401
        row = {"question": "Is it?", "products": []}
        rows = [row | {"id": str(n), "sentences": list(turn)} | changes for n, turn in enumerate(turns)]
        data = tmp_path / "data.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return evaluate(Request(data), Doubter)

    return run


def test_every_figure_is_over_sentences_and_its_interval_over_turns(run: Evaluate) -> None:
    metrics = run([LEAD_IN, said(cited()), said(cited(), grounded=False)], [said(cited())]).report.metrics
    assert (metrics["grounded"].value, metrics["grounded"].n) == (pytest.approx(2 / 3, abs=1e-6), 3)
    assert metrics["grounded"].ci95 == (0.5, 1.0)


def test_turns_of_which_none_states_anything_have_no_figure(run: Evaluate) -> None:
    assert set(values(run([LEAD_IN])).values()) == {None}


def test_the_judge_agrees_with_the_labels_as_far_as_it_is_not_chance(run: Evaluate) -> None:
    right, wrong = said(cited()), said(cited(), grounded=False, text="I doubt it.")
    assert values(run([right, wrong]))["judge_kappa"] == 1
    found = values(run([right, right, wrong, said(cited(), text="No doubt.")]))
    assert (found["judge_accuracy"], found["judge_kappa"]) == (0.75, 0.5)


def test_the_judge_is_named_and_is_not_asked_about_counts(run: Evaluate) -> None:
    report = run([said(cited()), said(cited(derived=COUNTED), text="I doubt it.")]).report
    assert (report.metrics["judge_accuracy"].value, report.metrics["judge_accuracy"].n) == (1, 1)
    assert report.judge == "a doubter"


def test_a_factual_sentence_without_labels_is_refused(run: Evaluate) -> None:
    with pytest.raises(InputError, match="grounded"):
        run([{"text": "It is.", "factual": True, "citations": []}])
