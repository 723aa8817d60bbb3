"""`eval retrieval`: which documents count, at which rank, and over which rows."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.errors import InputError
from evals.components.retrieval import OpenedIndex, evaluate, row_of
from evals.report import Evaluation
from evals.rows import Request
from ingestion.evidence import Evidence
from ingestion.generations import latest_generation
from ingestion.knowledge import open_knowledge
from tests.evals.scored import values

Hits = list[tuple[Evidence, float]]


def chunk(evidence_id: str) -> Evidence:
    row_id = evidence_id.partition(":")[2].partition("#")[0]
    return Evidence(evidence_id, "help_article", "text", "title", row_id)


class FakeSearch:
    """Answers each question with prepared chunks, all of documents named by a letter."""

    def __init__(self, answers: Mapping[str, Hits]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, list[Mapping[str, str]]]] = []

    @property
    def index(self) -> OpenedIndex:
        return OpenedIndex("g1", self.hits, self.row_id)

    def hits(self, query: str, history: Sequence[Mapping[str, str]]) -> Hits:
        self.asked.append((query, list(history)))
        return self.answers[query]

    def row_id(self, gold: str) -> str | None:
        named = gold.removeprefix("help_article:").partition("#")[0]
        return named if len(named) == 1 else None


Evaluate = Callable[..., Evaluation]


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows, given as (id, gold, evidence ids found), the first of which scores 0.9."""

    def run(*rows: tuple[str, list[str], list[str]], split: str | None = None) -> Evaluation:
        found = {key: [(chunk(one), 0.9 - 0.1 * n) for n, one in enumerate(ids)] for key, _, ids in rows}
        return evaluate(_request(tmp_path, rows, split), lambda _index: opened(FakeSearch(found)))

    return run


@contextmanager
def opened(search: FakeSearch) -> Iterator[OpenedIndex]:
    yield search.index


def _request(folder: Path, rows: Sequence[tuple[str, list[str], list[str]]], split: str | None) -> Request:
    data = folder / "queries.jsonl"
    lines = [{"id": key, "query": key, "gold": gold, "split": key[:1]} for key, gold, _ in rows]
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Request(data, "index", split)


def test_figures_are_over_the_first_five_documents_of_rows_with_gold(run: Evaluate) -> None:
    found = run(
        ("1", ["b", "d"], ["h:a", "h:b", "h:c", "h:d"]),
        ("2", ["f"], ["h:a", "h:b", "h:c", "h:d", "h:e", "h:f"]),
        ("3", [], ["h:a"]),
    )
    ideal = 1 + 1 / math.log2(3)
    expected = {
        "hit@1": 0,
        "hit@2": 0.5,
        "hit@3": 0.5,
        "hit@4": 0.5,
        "hit@5": 0.5,
        "map": 0.25,
        "mrr": 0.25,
        "ndcg@5": (1 / math.log2(3) + 1 / math.log2(5)) / ideal / 2,
        "recall@5": 0.5,
        "no_gold_auroc": 0.5,
    }
    assert values(found) == pytest.approx(expected, abs=1e-6)
    assert {name: metric.n for name, metric in found.report.metrics.items()} == {
        name: 3 if name == "no_gold_auroc" else 2 for name in expected
    }
    assert (found.report.n, found.report.generation, found.report.component) == (3, "g1", "retrieval")


def test_a_document_counts_once_at_its_best_chunk(run: Evaluate) -> None:
    found = run(("1", ["b"], ["h:a#3", "h:a#1", "h:b#2", "h:a#2", "h:b#1"]))
    assert values(found)["mrr"] == 0.5
    assert values(found)["recall@5"] == 1
    assert found.predictions == [
        {
            "id": "1",
            "ranked": [
                {"id": "a", "evidence_id": "h:a#3", "score": 0.9},
                {"id": "b", "evidence_id": "h:b#2", "score": pytest.approx(0.7)},
            ],
            "gold": ["b"],
        }
    ]


def test_gold_may_name_evidence_and_stands_for_its_document(run: Evaluate) -> None:
    found = run(("1", ["help_article:b#4", "help_article:b#5"], ["h:b#1"]))
    assert values(found)["recall@5"] == 1
    assert found.predictions[0]["gold"] == ["b"]


def test_gold_that_the_index_does_not_have_is_missed_and_named(run: Evaluate) -> None:
    found = run(("1", ["a", "nowhere"], ["h:a"]), ("2", ["nowhere"], ["h:a"]), ("3", ["a"], ["h:a"]))
    assert values(found)["recall@5"] == pytest.approx((0.5 + 0 + 1) / 3, abs=1e-6)
    assert found.report.metrics["hit@1"].n == 3
    [warning] = found.report.warnings
    assert "1 gold ids of 2 rows are not in the index and count as missed: nowhere" in warning


def test_a_question_that_finds_nothing_is_a_miss_with_the_lowest_score(run: Evaluate) -> None:
    found = run(("1", ["a"], ["h:a"]), ("2", [], []))
    assert values(found)["no_gold_auroc"] == 1
    assert values(run(("1", ["a"], [])))["hit@5"] == 0


def test_without_both_kinds_of_rows_nothing_is_said_of_telling_them_apart(run: Evaluate) -> None:
    assert "no_gold_auroc" not in values(run(("1", ["a"], ["h:a"])))
    only_without = run(("1", [], ["h:a"]))
    assert "no_gold_auroc" not in values(only_without)
    assert only_without.report.metrics["hit@1"].model_dump() == {"value": None, "ci95": None, "n": 0}


def test_only_the_rows_of_a_split_are_asked(run: Evaluate) -> None:
    rows = [("test-1", ["a"], ["h:a"]), ("dev-1", ["a"], ["h:b"])]
    assert values(run(*rows, split="t"))["hit@1"] == 1
    assert run(*rows, split="d").report.n == 1


def test_the_history_goes_with_the_question(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "I lost my card"}, {"role": "assistant", "content": "Debit or credit?"}]
    data = tmp_path / "queries.jsonl"
    data.write_text(json.dumps({"id": "1", "query": "debit", "history": said, "gold": ["a"]}))
    search = FakeSearch({"debit": [(chunk("h:a"), 1.0)]})
    evaluate(Request(data, "index"), lambda _index: opened(search))
    assert search.asked[-1] == ("debit", said)


def test_every_question_is_timed_after_a_warm_up(tmp_path: Path) -> None:
    rows = [(str(n), ["a"], ["h:a"]) for n in range(5)]
    search = FakeSearch({key: [(chunk("h:a"), 1.0)] for key, _, _ in rows})
    found = evaluate(_request(tmp_path, rows, None), lambda _index: opened(search))
    assert [query for query, _ in search.asked] == [*"012", *"01234"]
    assert found.report.latency_ms.p50 is not None


def test_an_index_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--index"):
        evaluate(Request(tmp_path / "queries.jsonl"))


def test_what_a_gold_id_names_is_looked_up_in_the_index(index: Path) -> None:
    knowledge = open_knowledge(index)
    names = ["aurora-x2", "spec:aurora-x2", "r-x2-1", "review:r-x2-1", "nowhere", "spec:nowhere"]
    found = [row_of(knowledge, knowledge.row_ids(), name) for name in names]
    assert found == ["aurora-x2", "aurora-x2", "r-x2-1", "r-x2-1", None, None]
    knowledge.close()


def test_a_built_index_is_searched_as_it_is(tmp_path: Path, index: Path) -> None:
    data = tmp_path / "queries.jsonl"
    rows = [
        {"id": 1, "query": "How do I cancel an order as a seller?", "gold": ["cancel-order-seller"]},
        {"id": 2, "query": "What is the weight of the Heron 2?", "gold": ["spec:heron-2"]},
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = evaluate(Request(data, str(index)))
    assert (values(found)["hit@1"], values(found)["hit@5"]) == (1, 1)
    assert found.report.generation == latest_generation(index)
    assert found.report.config_hash
