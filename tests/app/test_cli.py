"""The command line: what it prints where, and with which exit status."""

import stat
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.app.command_line import Run


def test_help_lists_every_command_with_what_it_does(run: Run) -> None:
    result = run("--help")
    assert result.status == 0
    for name in ("ask", "chat", "demo", "evidence", "graph", "index", "ingest", "serve", "vllm"):
        assert name in result.out


@pytest.mark.parametrize("command", ["ask", "chat", "demo", "evidence", "graph", "ingest", "serve", "vllm"])
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


def test_a_fault_of_ours_is_one_line_and_a_log(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(_: object) -> None:
        message = "no room for jane@shop.example"
        raise MemoryError(message)

    monkeypatch.setattr("app.assistant.Assistant.open", fault)
    result = run("ask", "x")
    assert result.status == 1
    assert result.err.count("\n") == 1
    log = tmp_path / ".footnote" / "error.log"
    assert "Traceback" in log.read_text()
    assert "no room for [e-mail address]" in log.read_text()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (log, log.parent)] == [0o600, 0o700]


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
