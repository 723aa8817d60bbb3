"""Evaluations whose questions a served model reads: what it changes, what it costs, how many rows fell back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from app.errors import InputError
from evals.components import NoServedModelError, retrieval, rewriting, routing, run
from evals.report import ModelUse, Report, print_report
from evals.rows import Request
from evals.written_conversations import ModelReadings, NoModelError, model_readings
from graph.llm.model import LanguageModelError
from tests.graph.fakes import ScriptedModel

HISTORY = [{"role": "user", "content": "What is throat cancer?"}, {"role": "assistant", "content": "A disease."}]
ALONE = "How long can people live with throat cancer?"
QUERY = "how long can people live with it?"


def reply(**fields: object) -> str:
    shared = {"standalone_query": ALONE, "searchable": True, "live_agent": False}
    return json.dumps(shared | {"simulated_response": "Many live for years."} | fields)


def rows(folder: Path, *given: Mapping[str, Any]) -> Path:
    data = folder / "rows.jsonl"
    data.write_text(
        "".join(json.dumps({"id": number, "history": HISTORY} | dict(row)) + "\n" for number, row in enumerate(given))
    )
    return data


def use_of(report: Report) -> ModelUse:
    assert report.llm is not None
    return report.llm


def test_rewrites_of_a_served_model_are_scored_with_what_they_cost(tmp_path: Path) -> None:
    data = rows(tmp_path, {"query": QUERY, "gold": [ALONE]})
    readings = ModelReadings(ScriptedModel(reply()), "simulated")
    found = rewriting.evaluate(Request(data, rewriter="llm"), load=lambda _: readings).report
    assert found.metrics["exact_match"].value == 1
    assert use_of(found).model_dump() == {
        "model": "scripted",
        "refinement": "simulated",
        "calls": 1,
        "prompt_tokens": 900,
        "cached_tokens": 600,
        "completion_tokens": 80,
        "fell_back": 0,
        "reasons": {},
    }


def test_a_model_is_asked_in_every_row_and_what_warms_up_is_not_counted(tmp_path: Path) -> None:
    model = ScriptedModel(reply())
    data = rows(tmp_path, *[{"query": "What is throat cancer?", "gold": ["a"], "history": []}] * 5)
    found = rewriting.evaluate(Request(data, rewriter="llm"), load=lambda _: ModelReadings(model, "simulated"))
    assert (len(model.requests), use_of(found.report).calls) == (8, 5)


def test_rows_that_fell_back_are_counted_by_their_reasons(tmp_path: Path) -> None:
    scripted = ScriptedModel("", "", "", reply(), LanguageModelError("no answer within 8 s"), "nonsense", "nonsense")
    data = rows(tmp_path, *[{"query": QUERY, "gold": [ALONE]}] * 4)
    found = rewriting.evaluate(Request(data, rewriter="llm"), load=lambda _: ModelReadings(scripted, "simulated"))
    use = use_of(found.report)
    assert use.fell_back == 3
    assert use.reasons == {
        "rewrite: the reply does not follow its schema": 2,
        "rewrite: no answer within 8 s": 1,
    }
    console = Console(record=True, width=200)
    print_report(console, found.report)
    assert "3 of 4 rows fell back" in console.export_text()


def test_flags_of_a_served_model_are_scored(tmp_path: Path) -> None:
    data = rows(tmp_path, {"text": "gibberish blub", "searchable": False, "live_agent": True})
    scripted = ScriptedModel(reply(standalone_query="gibberish blub", searchable=False, live_agent=True))
    found = routing.evaluate(Request(data, rewriter="llm"), load=lambda _: ModelReadings(scripted, "simulated"))
    assert found.report.metrics["both_accuracy"].value == 1
    assert use_of(found.report).calls == 1


def test_a_refined_question_finds_what_it_alone_does_not(tmp_path: Path, index: Path) -> None:
    data = rows(tmp_path, {"query": "I have second thoughts.", "gold": ["cancel-order"], "history": []})
    simulating = ScriptedModel(
        reply(standalone_query="I have second thoughts.", simulated_response="To cancel an order, open My orders.")
    )
    bare = retrieval.evaluate(Request(data, str(index))).report
    refined = retrieval.evaluate(
        Request(data, str(index), refine="simulated"), open_model=lambda way: ModelReadings(simulating, way)
    ).report
    assert (bare.llm, bare.metrics["hit@1"].value) == (None, 0)
    assert refined.metrics["hit@1"].value == 1
    assert (use_of(refined).refinement, use_of(refined).calls) == ("simulated", 1)


def test_without_an_endpoint_it_says_which_setting_names_one(tmp_path: Path, index: Path) -> None:
    data = rows(tmp_path, {"query": QUERY, "gold": [ALONE]})
    with pytest.raises(NoModelError, match="FOOTNOTE_LLM__BASE_URL"):
        model_readings()
    for component, request in (
        ("retrieval", Request(data, str(index), refine="details")),
        ("rewriting", Request(data, rewriter="llm")),
    ):
        with pytest.raises(InputError, match="FOOTNOTE_LLM__BASE_URL"):
            run(component, request)


def test_components_that_ask_no_model_refuse_to(tmp_path: Path) -> None:
    data = rows(tmp_path, {"query": QUERY, "gold": [ALONE]})
    with pytest.raises(NoServedModelError, match="--refine"):
        run("rewriting", Request(data, refine="details"))
    with pytest.raises(NoServedModelError, match="--rewriter"):
        run("retrieval", Request(data, rewriter="llm"))
