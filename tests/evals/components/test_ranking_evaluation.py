"""`eval ranking`: which candidates count, at which rank, and over which rows."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.components.ranking import evaluate
from evals.report import Evaluation
from evals.rows import Candidate, Request
from tests.evals.scored import values

Evaluate = Callable[..., Evaluation]


def by_text(_query: str, candidates: Sequence[Candidate]) -> list[float]:
    """The text of each candidate says its score."""
    return [float(candidate.text) for candidate in candidates]


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows, each given as candidate id to (score, relevance)."""

    def run(*rows: Mapping[str, tuple[float, int]], **changes: Any) -> Evaluation:  # noqa: ANN401 - any column
        data = tmp_path / "data.jsonl"
        data.write_text("".join(json.dumps(_row(str(n), row) | changes) + "\n" for n, row in enumerate(rows)))
        return evaluate(Request(data), lambda: by_text)

    return run


def _row(key: str, candidates: Mapping[str, tuple[float, int]]) -> dict[str, Any]:
    return {
        "id": key,
        "query": "q",
        "candidates": [{"id": one, "text": str(score)} for one, (score, _) in candidates.items()],
        "relevance": {one: relevance for one, (_, relevance) in candidates.items()},
    }


FIRST = {"a": (0.9, 2), "b": (0.5, 0)}
THIRD = {"a": (0.1, 2), "b": (0.9, 1), "c": (0.5, 0)}
HELPS = {"a": (0.1, 1), "b": (0.9, 0)}
NOTHING = {"a": (0.1, 0), "b": (0.9, 0)}


def test_precision_mrr_and_recall_are_over_rows_that_have_a_full_answer(run: Evaluate) -> None:
    found = run(FIRST, THIRD, HELPS, NOTHING)
    figures = values(found)
    assert (figures["p@1"], figures["mrr"]) == (0.5, pytest.approx((1 + 1 / 3) / 2, abs=1e-6))
    assert [figures[f"context_recall@{k}"] for k in (1, 2, 3, 15)] == [0.5, 0.5, 1, 1]
    assert [found.report.metrics[name].n for name in ("p@1", "mrr", "context_recall@1", "context_recall@15")] == [2] * 4
    assert found.report.n == 4


def test_ndcg_is_over_rows_with_anything_relevant_and_gains_2_to_the_relevance_less_1(run: Evaluate) -> None:
    found = run(FIRST, THIRD, HELPS, NOTHING)
    third = (1 + 3 / math.log2(4)) / (3 + 1 / math.log2(3))
    assert values(found)["ndcg@5"] == pytest.approx((1 + third + 1 / math.log2(3)) / 3, abs=1e-6)
    assert found.report.metrics["ndcg@5"].n == 3


def test_every_depth_up_to_15_is_told(run: Evaluate) -> None:
    assert [name for name in values(run(FIRST)) if name.startswith("context_recall@")] == [
        f"context_recall@{k}" for k in range(1, 16)
    ]


@pytest.mark.parametrize("order", ["eabcd", "dcbae", "cdabe"])
def test_the_order_in_which_candidates_are_listed_changes_nothing(run: Evaluate, order: str) -> None:
    scored = {"a": (0.5, 2), "b": (0.5, 0), "c": (0.5, 1), "d": (0.5, 0), "e": (0.9, 0)}
    listed = run({key: scored[key] for key in order})
    assert listed.predictions[0]["ranked"] == run(scored).predictions[0]["ranked"]


def test_a_ranker_that_knows_nothing_scores_as_chance_does_though_the_gold_is_listed_first(run: Evaluate) -> None:
    rows = [{"a": (0.5, 2), "b": (0.5, 0), "c": (0.5, 0), "d": (0.5, 0)}] * 400
    assert values(run(*rows))["p@1"] == pytest.approx(0.25, abs=0.07)


def test_predictions_hold_the_ranking_and_the_judgements(run: Evaluate) -> None:
    assert run(THIRD).predictions == [
        {
            "id": "0",
            "ranked": [{"id": "b", "score": 0.9}, {"id": "c", "score": 0.5}, {"id": "a", "score": 0.1}],
            "relevance": {"a": 2, "b": 1, "c": 0},
        }
    ]


def test_a_candidate_that_nobody_judged_is_irrelevant(run: Evaluate) -> None:
    assert values(run(THIRD, relevance={"c": 2}))["mrr"] == 0.5


def test_judged_ids_that_are_no_candidates_count_for_nothing_and_are_told(run: Evaluate) -> None:
    found = run(FIRST, relevance={"z": 2, "b": 1})
    assert found.report.metrics["p@1"].n == 0
    assert found.report.metrics["ndcg@5"].value == pytest.approx(1 / math.log2(3), abs=1e-6)
    [warning] = found.report.warnings
    assert "1 rows judge ids that are no candidates" in warning


def test_a_row_without_candidates_is_scored_by_nothing(run: Evaluate) -> None:
    found = run(FIRST, {})
    assert (found.report.n, found.report.metrics["p@1"].n, found.predictions[1]["ranked"]) == (2, 1, [])


@pytest.mark.parametrize("relevance", [3, -1, 0.5, "much"])
def test_relevance_is_0_1_or_2(run: Evaluate, relevance: object) -> None:
    with pytest.raises(InputError, match=r"data\.jsonl:1: relevance\.a"):
        run(FIRST, relevance={"a": relevance})


def test_the_kind_of_a_candidate_reaches_the_ranker(tmp_path: Path) -> None:
    seen: list[str | None] = []

    def rank(_query: str, candidates: Sequence[Candidate]) -> list[float]:
        seen.extend(candidate.source_type for candidate in candidates)
        return [0.0] * len(candidates)

    data = tmp_path / "data.jsonl"
    candidates = [{"id": 1, "text": "t", "source_type": "spec"}, {"id": 2, "text": "t"}]
    data.write_text(json.dumps({"id": 1, "query": "q", "candidates": candidates, "relevance": {"1": 2}}))
    evaluate(Request(data), lambda: rank)
    assert seen[-2:] == ["spec", None]
