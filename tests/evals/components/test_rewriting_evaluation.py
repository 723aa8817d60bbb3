"""`eval rewriting`: which rows a figure is over, and what the rewriter is given."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.components.rewriting import evaluate
from evals.report import Evaluation
from evals.rows import Message, Request
from graph.parts import Rewrite
from tests.evals.scored import values

Evaluate = Callable[..., Evaluation]
SAID = [{"role": "user", "content": "What is throat cancer?"}, {"role": "assistant", "content": "A disease."}]


def alone(query: str) -> Rewrite:
    return Rewrite(query, "rules")


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows with a rewriter that knows what to say of each question, and else repeats it."""

    def run(*rows: Mapping[str, Any], says: Mapping[str, str] | None = None) -> Evaluation:
        data = tmp_path / "data.jsonl"
        data.write_text("".join(json.dumps({"id": n, "history": []} | dict(row)) + "\n" for n, row in enumerate(rows)))
        said = says or {}
        return evaluate(Request(data), lambda _history, query, _context: alone(said.get(query, query)))

    return run


def test_rows_whose_question_had_to_change_are_told_apart_from_the_others(run: Evaluate) -> None:
    found = run(
        {"query": "is it red", "gold": ["is the lamp red"]},
        {"query": "what does it cost", "gold": ["what does the lamp cost"]},
        {"query": "IS IT RED", "gold": ["what", "Is it red?"]},
        says={"is it red": "is the lamp red"},
    )
    figures = values(found)
    assert (figures["needs_rewrite.exact_match"], figures["copy.exact_match"]) == (0.5, 1)
    assert figures["exact_match"] == pytest.approx(2 / 3, abs=1e-6)
    assert [found.report.metrics[name].n for name in ("bleu", "needs_rewrite.bleu", "copy.bleu")] == [3, 2, 1]


def test_first_turns_are_told_apart_from_later_ones(run: Evaluate) -> None:
    found = run({"query": "a", "gold": ["a"]}, {"query": "b", "gold": ["c"], "history": SAID})
    assert (values(found)["turn1.token_f1"], values(found)["later.token_f1"]) == (1, 0)


def test_every_prefix_has_every_figure_and_a_part_without_rows_is_null(run: Evaluate) -> None:
    figures = values(run({"query": "a", "gold": ["a"]}))
    names = {"exact_match", "token_f1", "rouge1_recall", "bleu"}
    prefixes = ("", "needs_rewrite.", "copy.", "turn1.", "later.")
    assert set(figures) == {prefix + name for prefix in prefixes for name in names}
    assert figures["later.bleu"] is figures["needs_rewrite.token_f1"] is None


def test_bleu_is_against_the_first_gold_and_the_others_against_the_likest(run: Evaluate) -> None:
    figures = values(run({"query": "is the lamp red", "gold": ["what does it cost", "is the lamp red"]}))
    assert figures["token_f1"] == 1
    assert figures["bleu"] is not None
    assert figures["bleu"] < 50


def test_the_rewriter_is_given_history_question_and_page_titles(tmp_path: Path) -> None:
    given: list[tuple[Sequence[Message], str, Sequence[str]]] = []

    def rewrite(history: Sequence[Message], query: str, context: Sequence[str]) -> Rewrite:
        given.append((history, query, context))
        return alone(query)

    data = tmp_path / "data.jsonl"
    data.write_text(json.dumps({"id": 1, "history": SAID, "query": "q", "gold": ["q"], "context": ["Lamp", "Prices"]}))
    evaluate(Request(data), rewrite)
    assert given[-1] == ([Message.model_validate(said) for said in SAID], "q", ["Lamp", "Prices"])


def test_predictions_hold_question_rewrite_and_golds(run: Evaluate) -> None:
    assert run({"query": "a", "gold": ["b a"]}, says={"a": "a c"}).predictions == [
        {"id": "0", "query": "a", "rewrite": "a c", "gold": ["b a"], "token_f1": 0.5}
    ]


def test_a_row_without_gold_cannot_be_scored(run: Evaluate) -> None:
    with pytest.raises(InputError, match=r"data\.jsonl:2: gold"):
        run({"query": "a", "gold": ["a"]}, {"query": "a", "gold": []})


def test_the_rewriter_that_ships_resolves_what_the_conversation_or_the_page_is_about(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    rows = [
        {"id": 1, "history": SAID, "query": "Is it treatable?", "gold": ["Is throat cancer treatable?"]},
        {"id": 2, "query": "How heavy is it?", "gold": ["How heavy is Lamp Z40?"], "context": ["Lamp Z40", "Weight"]},
        {"id": 3, "history": SAID, "query": "Do you ship to Spain?", "gold": ["Do you ship to Spain?"]},
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = evaluate(Request(data))
    assert [row["rewrite"] for row in found.predictions] == [row["gold"][0] for row in rows]
    assert found.report.config_hash
