"""The command line: what it prints where, and with which exit status."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from app.cli import main
from graph.turn import Turn
from ingestion.writer_lock import writing


@dataclass
class Result:
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs `footnote` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def command(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["footnote", *arguments])
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        captured = capfd.readouterr()
        return Result(status, captured.out, captured.err)

    return command


def test_help_lists_every_command_with_what_it_does(run: Run) -> None:
    result = run("--help")
    assert result.status == 0
    for name in ("ask", "chat", "demo", "evidence", "graph", "index", "ingest", "serve"):
        assert name in result.out


@pytest.mark.parametrize("command", ["ask", "chat", "demo", "evidence", "graph", "ingest", "serve"])
def test_the_help_of_a_command_teaches_by_an_example(run: Run, command: str) -> None:
    assert f"Example: footnote {command}" in run(command, "--help").out


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").out == f"footnote {version('footnote')}\n"


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["ask"], ["ask", "x", "--style", "loud"], ["ask", "x", "--nonsense"]]
)
def test_wrong_usage_has_status_2_and_a_hint(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.status == 2
    assert result.out == ""
    assert "Usage: footnote" in result.err


def test_ask_shows_answer_sources_and_confidence(run: Run, index: Path) -> None:
    result = run("ask", "How heavy is the Aurora X2?", "--index", str(index))
    assert result.status == 0
    assert result.out.startswith("The Aurora X2 weighs 172 g [1].\n")
    assert "“Weight: 172 g”" in result.out
    assert "Confidence: " in result.out


def test_ask_json_is_one_turn_and_nothing_else(run: Run, index: Path) -> None:
    result = run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--json")
    turn = Turn.model_validate(json.loads(result.out))
    assert turn.outcome == "clear"
    assert result.out.count("\n") == 1


def test_ask_quiet_prints_the_answer_alone(run: Run, index: Path) -> None:
    result = run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--quiet")
    assert (result.out, result.err) == ("The Aurora X2 weighs 172 g [1].\n", "")


def test_ask_explain_shows_every_decision(run: Run, index: Path) -> None:
    out = run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--explain").out
    for part in ("Standalone question", "aurora-x2", "product_spec", "entropy", "spec:aurora-x2", "ms  rewrite"):
        assert part in out


def test_ask_continues_a_thread(run: Run, index: Path) -> None:
    run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--thread", "t")
    turn = json.loads(run("ask", "and the battery?", "--index", str(index), "--thread", "t", "--json").out)
    assert turn["thread_id"] == "t"
    assert turn["products"][0]["id"] == "aurora-x2"


def test_ask_takes_the_user_as_json_and_the_role_apart(run: Run, index: Path) -> None:
    user = '{"page": {"product_id": "aurora-x3"}}'
    out = run("ask", "How heavy is it?", "--index", str(index), "--user", user, "--role", "buyer", "--json").out
    assert json.loads(out)["products"][0]["id"] == "aurora-x3"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([""], "empty"),
        (["\x07\x1b"], "empty"),
        (["a" * 20_000], "20,000 characters"),
        (["x", "--user", "{"], "no JSON"),
        (["x", "--user", '{"rolle": 1}'], "rolle"),
    ],
)
def test_bad_input_to_ask_is_one_line_with_status_2(run: Run, index: Path, arguments: list[str], words: str) -> None:
    result = run("ask", *arguments, "--index", str(index))
    assert (result.status, result.out) == (2, "")
    assert words in result.err
    assert result.err.startswith("footnote: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["ask", "x"], ["evidence", "spec:x"], ["chat"], ["serve"], ["index", "info"]], ids=lambda a: a[0]
)
def test_a_missing_index_is_named_with_what_to_do(run: Run, arguments: list[str]) -> None:
    result = run(*arguments, "--index", "nowhere")
    assert (result.status, result.out) == (1, "")
    assert ".footnote/nowhere" in result.err
    assert "footnote ingest" in result.err
    assert result.err.count("\n") == 1


def test_a_damaged_index_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "CURRENT").write_text("nothing\n")
    result = run("ask", "x", "--index", "./broken")
    assert result.status == 1
    assert "damaged" in result.err
    assert result.err.count("\n") == 1


def test_an_unknown_setting_ends_with_status_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_INDX", "x")
    result = run("ask", "x")
    assert result.status == 2
    assert "Did you mean index" in result.err


def test_a_fault_of_ours_is_one_line_and_a_log(run: Run, tmp_path: Path, index: Path) -> None:
    result = run("ask", "x", "--index", str(index), "--thread", "\ud800")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert "Traceback" in (tmp_path / ".footnote" / "error.log").read_text()


def test_ingest_builds_a_named_index_and_reports(run: Run, shop: Path, tmp_path: Path) -> None:
    result = run("ingest", str(shop), "--index", "small", "--report", "report.json")
    assert result.status == 0
    assert "12 products" in result.out
    assert (tmp_path / ".footnote" / "small" / "CURRENT").exists()
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["products"] == 12
    again = run("ingest", str(shop), "--index", "small")
    assert "Nothing has changed" in again.out


def test_ingest_quiet_prints_nothing(run: Run, shop: Path) -> None:
    result = run("ingest", str(shop), "--index", "small", "--quiet")
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


def test_evidence_prints_the_source_in_full(run: Run, index: Path) -> None:
    shown = json.loads(run("evidence", "spec:aurora-x2", "--index", str(index), "--json").out)
    assert list(shown) == [
        "evidence_id",
        "source_type",
        "text",
        "title",
        "section",
        "page",
        "url",
        "updated_at",
        "product_id",
        "generation",
    ]
    assert "Weight: 172 g" in shown["text"]
    assert "Weight: 172 g" in run("evidence", "spec:aurora-x2", "--index", str(index)).out


def test_evidence_of_a_citation_reads_character_for_character(run: Run, index: Path) -> None:
    turn = json.loads(run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--json").out)
    (citation,) = turn["citations"]
    arguments = ["--index", str(index), "--generation", citation["generation"], "--json"]
    source = json.loads(run("evidence", citation["evidence_id"], *arguments).out)
    assert source["text"][citation["start"] : citation["end"]] == citation["quote"]


def test_evidence_of_a_recorded_answer_opens_without_its_index(run: Run, index: Path) -> None:
    turn = json.loads(run("ask", "How heavy is the Aurora X2?", "--index", str(index), "--json").out)
    generation = turn["citations"][0]["generation"]
    source = json.loads(
        run("evidence", "spec:aurora-x2", "--index", "nowhere", "--generation", generation, "--json").out
    )
    assert source["generation"] == generation


def test_unknown_evidence_is_bad_input(run: Run, index: Path) -> None:
    result = run("evidence", "spec:nothing", "--index", str(index))
    assert result.status == 2
    assert "spec:nothing" in result.err


def test_graph_prints_every_node(run: Run) -> None:
    out = run("graph").out
    for node in (
        "rewrite",
        "catalog_search",
        "intent",
        "browse",
        "hand_off",
        "retrieve",
        "reduce",
        "respond",
        "conclude",
    ):
        assert node in out


def test_index_info_counts_what_answers(run: Run, index: Path) -> None:
    facts = json.loads(run("index", "info", "--index", str(index), "--json").out)
    assert facts["products"] == 12
    assert facts["generation"] in facts["generations"]
    assert facts["evidence"]["spec"] == 12
    assert "12 products" in run("index", "info", "--index", str(index)).out


def test_index_info_shows_lengths_and_sizes(run: Run, index: Path) -> None:
    facts = json.loads(run("index", "info", "--index", str(index), "--json").out)
    assert facts["texts"]["all"]["evidence"] == sum(facts["evidence"].values())
    out = run("index", "info", "--index", str(index)).out
    assert facts["model"] in out
    assert "Tokens: mean" in out
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


def test_what_an_ingest_put_right_is_told_and_no_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "products.csv").write_bytes("id,name\np1,Café\n,\np1,Café\n".encode("cp1252"))
    result = run("ingest", "shop", "--index", "one", "--strict", "--report", "r.json")
    assert result.status == 0
    assert "repaired encoding: 1 in products.csv (cp1252)" in result.err
    assert "repaired blank rows: 1 in products.csv, lines 3" in result.err
    repaired = json.loads(Path("r.json").read_text())["repaired"]
    assert {"kind": "duplicate_rows", "file": "products.csv", "count": 1, "lines": [4], "detail": None} in repaired
    again = run("ingest", "shop", "--index", "one", "--report", "r.json")
    assert "repaired blank rows" in again.err
    assert json.loads(Path("r.json").read_text())["repaired"] == repaired


def test_an_ingest_that_may_not_wait_names_who_writes(run: Run, shop: Path, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    folder.mkdir()
    with writing(folder):
        result = run("ingest", str(shop), "--index", "./busy", "--wait", "0")
    assert result.status == 1
    assert f"is being written by process {os.getpid()}" in result.err


def test_chat_answers_line_by_line_until_the_end(
    run: Run, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        "How heavy is the Aurora X2?\n/sources 1\n/sources 9\n\x07\nand the battery?\n/explain\n/help\n/new\n/quit\nx\n"
    )
    (tmp_path / "typed").write_text(lines)
    with (tmp_path / "typed").open() as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        result = run("chat", "--index", str(index))
    assert result.status == 0
    assert "The Aurora X2 weighs 172 g [1]." in result.out
    assert "Battery capacity: 4,500 mAh" in result.out
    assert "has no source 9" in result.err
    assert "empty" in result.err
    assert "4,500 mAh battery" in result.out
    assert "How this was answered" in result.out
    assert "A new conversation." in result.err


def test_intents_of_a_shop_without_any_are_refused_by_name(run: Run, index: Path, tmp_path: Path) -> None:
    shop = tmp_path / "plain"
    shop.mkdir()
    missing = run("train", "intent", "--shop", str(shop), "--index", str(index))
    assert (missing.status, "There is no shop.toml in" in missing.err) == (2, True)
    (shop / "shop.toml").write_text('[intents.gift_wrapping]\nutterances = ["ribbon?"]\nsource_types = ["qa"]\n')
    few = run("train", "intent", "--shop", str(shop), "--index", str(index))
    assert (few.status, "[intents.gift_wrapping] has 1 utterances; at least 8" in few.err) == (2, True)
    (shop / "shop.toml").write_text('[intents.gift_wrapping]\nutterances = ["ribbon?"]\nsource_types = ["ribbons"]\n')
    unknown = run("train", "intent", "--shop", str(shop), "--index", str(index))
    assert (unknown.status, "'ribbons' is no kind of evidence" in unknown.err) == (1, True)
    assert not (index / "intents.npz").exists()


def test_an_index_without_a_shop_is_refused_in_training(run: Run) -> None:
    result = run("train", "intent", "--index", "demo")
    assert (result.status, "no shop was named" in result.err) == (2, True)
