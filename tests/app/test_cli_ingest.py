"""`footnote ingest` and `footnote index`: what was read, what changed, and what answers."""

import json
import os
from pathlib import Path

import pytest

from ingestion.generations import writing
from tests.app.command_line import Run


def test_ingest_builds_a_named_index_and_reports(run: Run, shop: Path, tmp_path: Path) -> None:
    result = run("ingest", str(shop), "--index", "small", "--report", "report.json")
    assert result.status == 0
    assert "12 products" in result.out
    assert (tmp_path / ".footnote" / "small" / "CURRENT").exists()
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["products"] == 12
    again = run("ingest", str(shop), "--index", "small")
    assert "Nothing has changed" in again.out


def test_ingest_quiet_prints_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.md").write_text("Text.")
    result = run("ingest", "shop", "--index", "small", "--quiet")
    assert (result.status, result.out, result.err) == (0, "", "")


def test_a_bad_row_is_reported_and_fatal_only_when_strict(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    rows = '{"id": "a", "name": "Kestrel 2", "attributes": {"Weight": "1.9 kg"}}\n{"id": "b"}\n'
    (tmp_path / "shop" / "products.jsonl").write_text(rows)
    loose = run("ingest", "shop", "--index", "one")
    assert loose.status == 0
    assert "products.jsonl:2" in loose.err
    strict = run("ingest", "shop", "--index", "two", "--strict", "--quiet")
    assert strict.status == 1
    assert "products.jsonl:2" in strict.err


@pytest.mark.parametrize("path", ["missing", "empty"])
def test_no_shop_is_bad_input(run: Run, tmp_path: Path, path: str) -> None:
    (tmp_path / "empty").mkdir()
    result = run("ingest", path, "--index", "x", "--quiet")
    assert result.status == 2
    assert path in result.err


def test_index_info_counts_what_answers(run: Run, index: Path) -> None:
    facts = json.loads(run("index", "info", "--index", str(index), "--json").out)
    assert facts["products"] == 12
    assert facts["generation"] in facts["generations"]
    assert facts["evidence"]["spec"] == 12
    assert "12 products" in run("index", "info", "--index", str(index)).out


def test_index_info_shows_kinds_and_sizes(run: Run, index: Path) -> None:
    facts = json.loads(run("index", "info", "--index", str(index), "--json").out)
    out = run("index", "info", "--index", str(index)).out
    assert facts["model"] in out
    assert "Source type" in out
    assert "dense" in out


def test_an_ingest_tells_what_changed_and_a_rollback_undoes_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.md").write_text("Text.")
    run("ingest", "shop", "--index", "one", "--report", "r.json")
    first = json.loads(Path("r.json").read_text())
    (tmp_path / "shop" / "a.md").write_text("Another text.")
    second = run("ingest", "shop", "--index", "one", "--report", "r.json")
    assert "0 added, 1 changed, 0 removed" in second.out
    assert json.loads(Path("r.json").read_text())["changes"]["changed"] == {"help_article": 1}
    result = run("index", "rollback", "--index", "one", "--json")
    assert json.loads(result.out)["generation"] == first["generation"]
    assert "0 added, 1 changed, 0 removed" in run("ingest", "shop", "--index", "one").out


def test_a_rollback_to_what_is_not_there_lists_what_is(run: Run, index: Path) -> None:
    result = run("index", "rollback", "--index", str(index), "--to", "nothing")
    assert (result.status, result.out) == (1, "")
    assert "has no generation nothing. It has: 20" in result.err
    assert result.err.count("\n") == 1


def test_what_an_ingest_guessed_is_told_and_no_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "products.csv").write_bytes("id,name\np1,Café\n,\np1,Café\n".encode("cp1252"))
    result = run("ingest", "shop", "--index", "one", "--strict", "--report", "r.json")
    assert result.status == 0
    assert "noted    products.csv: is read as cp1252" in result.err
    notes = json.loads(Path("r.json").read_text())["notes"]
    assert notes == [{"file": "products.csv", "line": None, "reason": "is read as cp1252"}]
    again = run("ingest", "shop", "--index", "one", "--report", "r.json")
    assert "is read as cp1252" in again.err
    assert json.loads(Path("r.json").read_text())["notes"] == notes


def test_an_ingest_that_may_not_wait_names_who_writes(run: Run, shop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    folder.mkdir()
    with writing(folder):
        result = run("ingest", str(shop), "--index", "./busy", "--wait", "0")
    assert result.status == 1
    assert f"is being written by process {os.getpid()}" in result.err
