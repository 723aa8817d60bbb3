"""`eval catalog`: what counts as ranked, as accepted, as invented and as missed."""

import json
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.components.catalog import OpenedCatalog, evaluate
from evals.report import Evaluation
from evals.rows import Request
from graph.state import CatalogResult
from graph.turn import ProductMatch
from ingestion.generations import latest_generation
from tests.evals.scored import values

Evaluate = Callable[..., Evaluation]


def matches(keys: str) -> tuple[ProductMatch, ...]:
    return tuple(ProductMatch(id=key, name=key, method="search", score=0.5) for key in keys)


class Letters(Container[str]):
    """All ids of one letter."""

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and len(key) == 1


def fake_catalog(taken: Mapping[str, tuple[str, str, str, str]]) -> OpenedCatalog:
    """Sells products named by a letter, and takes each text as was prepared: accepted, tied, near and ranked ones."""

    def find(query: str) -> CatalogResult:
        accepted, tied, near, _ = taken[query]
        return CatalogResult(matches=matches(accepted), tied=matches(tied), nearest=matches(near))

    return OpenedCatalog("g1", Letters(), find, lambda query, limit: matches(taken[query][3])[:limit])


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows, given as gold ids and what the text is taken for: accepted, tied, near and ranked products."""

    def run(*rows: tuple[list[str], str, str, str, str]) -> Evaluation:
        data = tmp_path / "queries.jsonl"
        lines = [{"id": n, "query": str(n), "gold": gold} for n, (gold, *_) in enumerate(rows)]
        data.write_text("".join(json.dumps(line) + "\n" for line in lines))
        catalog = fake_catalog({str(n): taken for n, (_, *taken) in enumerate(rows)})  # type: ignore[misc]
        return evaluate(Request(data, "index"), lambda _: opened(catalog))

    return run


@contextmanager
def opened(catalog: OpenedCatalog) -> Iterator[OpenedCatalog]:
    yield catalog


def test_what_is_accepted_ranks_before_a_tie_and_that_before_what_is_near_and_the_rest(run: Evaluate) -> None:
    found = run((["f"], "a", "bc", "cd", "aebdf"))
    assert [match["id"] for match in found.predictions[0]["ranked"]] == list("abcdef")
    assert values(found)["mrr"] == pytest.approx(1 / 6, abs=1e-6)


def test_ranking_figures_are_over_rows_with_gold(run: Evaluate) -> None:
    found = run((["a"], "", "", "", "ab"), (["b", "c"], "", "", "", "axyzc"), ([], "", "", "", "a"))
    figures = values(found)
    assert (figures["hit@1"], figures["hit@5"]) == (0.5, 1)
    assert figures["mrr"] == pytest.approx((1 + 1 / 5) / 2, abs=1e-6)
    assert (found.report.metrics["hit@1"].n, found.report.n) == (2, 3)


def test_precision_is_over_rows_that_accept_and_recall_over_rows_with_gold(run: Evaluate) -> None:
    found = run(
        (["a"], "a", "", "", "a"),
        (["a"], "a", "", "", "a"),
        (["a"], "b", "", "", "a"),
        (["a"], "", "", "", "a"),
        ([], "b", "", "", "b"),
        ([], "", "", "", "b"),
    )
    figures = values(found)
    assert (figures["accept_precision"], figures["accept_recall"], figures["accept_f1"]) == (0.5, 0.5, 0.5)
    assert figures["invented_rate"] == pytest.approx(2 / 6, abs=1e-6)
    assert figures["missed_rate"] == 0.5
    counted = [found.report.metrics[f"accept_{name}"].n for name in ("precision", "recall", "f1")]
    assert counted == [4, 4, 6]
    assert (found.report.metrics["invented_rate"].n, found.report.metrics["missed_rate"].n) == (6, 4)


def test_a_tie_is_not_accepted_though_it_is_ranked(run: Evaluate) -> None:
    figures = values(run((["a"], "", "ab", "", "")))
    assert (figures["hit@1"], figures["accept_recall"], figures["missed_rate"]) == (1, 0, 1)
    assert figures["invented_rate"] == 0


def test_one_product_too_many_is_invented_though_the_gold_one_is_met(run: Evaluate) -> None:
    figures = values(run((["a"], "ab", "", "", "")))
    assert (figures["accept_precision"], figures["accept_recall"], figures["accept_f1"]) == (0, 1, 0)
    assert (figures["invented_rate"], figures["missed_rate"]) == (1, 0)


def test_any_of_several_golds_will_do(run: Evaluate) -> None:
    figures = values(run((["a", "b"], "b", "", "", "")))
    assert (figures["hit@1"], figures["accept_f1"], figures["invented_rate"]) == (1, 1, 0)


def test_where_nothing_is_accepted_there_is_no_precision(run: Evaluate) -> None:
    figures = values(run((["a"], "", "", "", "a")))
    assert figures["accept_precision"] is figures["accept_f1"] is None


def test_gold_that_is_not_sold_is_named_and_counts_as_missed(run: Evaluate) -> None:
    found = run((["gone"], "a", "", "", ""))
    assert (values(found)["missed_rate"], values(found)["hit@5"]) == (1, 0)
    [warning] = found.report.warnings
    assert "1 gold products are not in the index and count as missed: gone." in warning


def test_predictions_hold_what_was_accepted_and_the_candidates(run: Evaluate) -> None:
    ranked: list[dict[str, Any]] = [{"id": key, "score": 0.5, "method": "search"} for key in "ab"]
    assert run((["a"], "a", "", "", "ab")).predictions == [
        {"id": "0", "query": "0", "accepted": ["a"], "ranked": ranked, "gold": ["a"]}
    ]


def test_an_index_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="catalog evaluation reads an index"):
        evaluate(Request(tmp_path / "queries.jsonl"))


def test_the_catalog_that_ships_finds_products_of_an_index_by_name_and_in_a_question(
    tmp_path: Path, index: Path
) -> None:
    data = tmp_path / "queries.jsonl"
    rows = [
        {"id": 1, "query": "aurora x2", "gold": ["aurora-x2"]},
        {"id": 2, "query": "How heavy is the Heron 2?", "gold": ["heron-2"]},
        {"id": 3, "query": "Do you ship to Norway?", "gold": []},
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = evaluate(Request(data, str(index)))
    assert [row["accepted"] for row in found.predictions] == [row["gold"] for row in rows]
    assert values(found)["accept_f1"] == 1
    assert found.report.generation == latest_generation(index)
