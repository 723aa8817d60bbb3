"""The report of the chunking ablations: figures from rankings, and a choice that follows from them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.packs import MissingPackError, pack
from evals.reports.chunking_ablation import (
    CONFIGURATIONS,
    DEFAULT,
    SIZES,
    Configuration,
    Measured,
    RankedDocuments,
    measure,
)
from evals.reports.chunking_report import ChunkingMetrics, as_json, as_markdown
from ingestion.chunking.cutter import ChunkOptions

SMALL = next(one for one in SIZES.values() if one != DEFAULT)


def measured(rank: Callable[[str, Configuration, int], int]) -> list[Measured]:
    """Every configuration on two packs of 40 rows, each with its gold document at a rank from 1."""
    return [
        Measured(name, split, one, 100, 90.0, *[[_judged(rank(name, one, row)) for row in range(40)]] * 2)
        for name in ("left", "right")
        for one in CONFIGURATIONS
        for split in ("train", "test")
    ]


def _judged(rank: int) -> RankedDocuments:
    return RankedDocuments([place == rank for place in range(1, 8)], 1)


def test_only_the_first_five_documents_count() -> None:
    found = ChunkingMetrics.of([_judged(1), _judged(2), _judged(6), _judged(5)])
    assert found.hits == (0.25, 0.5, 0.5, 0.5, 0.75)
    assert found.mean_average_precision.value == pytest.approx((1 + 1 / 2 + 1 / 5) / 4)


def test_the_default_stays_where_nothing_is_better_on_both_packs() -> None:
    report = as_markdown(measured(lambda name, one, _row: 1 if (name, one) == ("left", SMALL) else 2))
    assert "The default stays" in report


def test_a_gain_that_other_rows_could_undo_changes_nothing() -> None:
    report = as_markdown(measured(lambda _name, one, row: 1 if one == SMALL and row % 40 == 0 else 2))
    assert "The default stays" in report


def test_what_is_clearly_better_on_both_packs_is_named() -> None:
    report = as_markdown(measured(lambda _name, one, row: 1 if one == SMALL and row % 2 else 2))
    assert "The default should be changed" in report
    assert "size: 128" in report.rpartition("Better on both packs")[2]


def test_test_rows_never_choose() -> None:
    rows = measured(lambda _name, _one, _row: 2)
    better = [
        Measured(one.pack, one.split, one.configuration, 1, 1.0, one.dense, [_judged(1)] * 40)
        if (one.configuration, one.split) == (SMALL, "test")
        else one
        for one in rows
    ]
    assert "The default stays" in as_markdown(better)


def test_all_figures_are_there_as_data() -> None:
    data = json.loads(json.dumps(as_json(measured(lambda _name, _one, _row: 1))))
    assert len(data["rows"]) == len(CONFIGURATIONS) * 4
    first = data["rows"][0]
    assert (first["pack"], first["chunker"], first["window"], first["metadata"]) == ("left", "recursive", 256, True)
    assert first["fused"]["hit@1"] == 1.0


@pytest.fixture
def small_pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    (folder / "docs").mkdir(parents=True)
    texts = {
        "tents": "Tents are put up with poles.",
        "refunds": "Refunds take five days.",
        "stoves": "Stoves burn gas.",
    }
    for name, text in texts.items():
        (folder / "docs" / f"{name}.md").write_text(f"---\nid: {name}\n---\n# About {name}\n\n{text}\n")
    rows = [
        {"id": "1", "query": "How long do refunds take?", "gold": ["refunds"], "split": "train"},
        {"id": "2", "query": "Who won the cup?", "gold": [], "split": "train"},
        {"id": "3", "query": "and how long?", "gold": ["refunds"], "split": "test"}
        | {"history": [{"role": "user", "content": "I want a refund"}]},
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_documents_are_found_at_their_best_chunk_in_every_configuration(small_pack: Path, tmp_path: Path) -> None:
    configurations = [DEFAULT, Configuration(ChunkOptions(chunker="fixed", chunk_tokens=64, metadata=False))]
    told: list[str] = []
    found = list(
        measure([small_pack], configurations, tmp_path / "indexes", lambda what, _done, _total: told.append(what))
    )
    assert [(one.split, one.configuration) for one in found] == [
        (split, one) for one in configurations for split in ("train", "test")
    ]
    assert all(judged.relevant[0] for one in found for judged in [*one.dense, *one.fused])
    assert all(len(one.dense) == 1 and one.chunks == 3 for one in found)
    assert told[-1] == ""


def test_a_missing_pack_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_BENCH", str(tmp_path))
    with pytest.raises(MissingPackError, match="holds no retrieval-techqa"):
        pack("retrieval-techqa")
    monkeypatch.delenv("FOOTNOTE_BENCH")
    with pytest.raises(MissingPackError, match="FOOTNOTE_BENCH is not set"):
        pack("retrieval-techqa")
