"""`footnote vllm`, and the chat with a model of its own, as they are typed."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.vllm import LOG, model_server
from app.llm.vllm import DEFAULT
from app.settings import Settings
from tests.app.command_line import Result, Run
from tests.app.llm.asking import KEY
from tests.app.llm.fake_vllm import DYING, put_vllm
from tests.app.llm.obedient import heedless, obedient
from tests.llm_server.server import LlmServer


@pytest.fixture
def server() -> Iterator[LlmServer]:
    """A server to which nothing is wanting."""
    with LlmServer(obedient, api_key=KEY) as running:
        running.length = 16_384
        yield running


@pytest.fixture
def check(run: Run, server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("FOOTNOTE_LLM__BASE_URL", server.url)
    monkeypatch.setenv("FOOTNOTE_LLM__MODEL", server.model)
    monkeypatch.setenv("FOOTNOTE_LLM__API_KEY", KEY)

    def checks(*arguments: str) -> Result:
        return run("vllm", "--check", *arguments)

    return checks


def test_the_command_alone_is_on_standard_output(run: Run) -> None:
    result = run("vllm", "--model", "some/model", "--port", "9000")
    words = shlex.split(result.out)
    assert (result.status, result.out.count("\n")) == (0, 1)
    assert words[:3] == ["vllm", "serve", "some/model"]
    assert json.loads(words[words.index("--structured-outputs-config") + 1])["disable_any_whitespace"]
    for flag in filter(lambda word: word.startswith("--"), words):
        assert f"{flag}: " in result.err
    assert "evidence" in result.err
    assert "FOOTNOTE_LLM__BASE_URL=http://127.0.0.1:9000/v1" in result.err


def test_the_model_is_that_of_the_settings_where_none_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shlex.split(run("vllm").out)[2] == DEFAULT
    monkeypatch.setenv("FOOTNOTE_LLM__MODEL", "the/shop's")
    assert shlex.split(run("vllm").out)[2] == "the/shop's"


def test_the_context_follows_the_settings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = json.loads(run("vllm", "--json").out)["context"]
    monkeypatch.setenv("FOOTNOTE_GRAPH__EVIDENCE_LIMIT", "60")
    assert json.loads(run("vllm", "--json").out)["context"] > usual
    assert json.loads(run("vllm", "--json", "--max-context", "5000").out)["context"] == 5_000


def test_a_good_server_passes_with_status_0(check: Run) -> None:
    result = check()
    assert (result.status, result.err) == (0, "")
    assert result.out.count("✓") == 5
    assert KEY not in result.out


def test_what_fails_stands_with_its_remedy_and_has_status_1(check: Run, server: LlmServer) -> None:
    server.answer = heedless
    result = check()
    assert result.status == 1
    assert (
        "✗ grammar: the answer does not follow the grammar\n  Start the server with --structured-outputs-config"
        in result.out
    )


def test_as_json_each_check_is_an_entry(check: Run, server: LlmServer) -> None:
    server.caching = False
    result = check("--json")
    told = json.loads(result.out)
    assert (result.status, told["passed"]) == (1, False)
    assert [one["check"] for one in told["checks"] if one["status"] == "failed"] == ["prefix cache"]
    assert KEY not in result.out


def test_the_command_line_wins_over_the_settings(check: Run) -> None:
    result = check("--model", "another")
    assert result.status == 1
    assert "another is not served" in result.out


@pytest.mark.parametrize(
    "arguments", [[], ["--base-url", "nowhere"], ["--base-url", "http://127.0.0.1:1/v1"], ["--model", "x"]]
)
def test_without_a_usable_address_and_model_there_is_nothing_to_check(run: Run, arguments: list[str]) -> None:
    result = run("vllm", "--check", *arguments)
    assert (result.status, result.out) == (2, "")
    assert "--base-url" in result.err
    assert result.err.count("\n") == 1


def test_without_a_model_the_chat_names_one(run: Run) -> None:
    result = run("demo", "--llm", "")
    assert (result.status, result.out) == (2, "")
    assert DEFAULT in result.err


def test_a_chat_whose_server_dies_ends_with_the_reason(run: Run, index: Path, tmp_path: Path) -> None:
    put_vllm(tmp_path, DYING)
    result = run("serve", "--index", str(index), "--llm", "some/model")
    assert result.status == 1
    assert "Failed to infer device type" in result.err
    assert "Traceback" not in result.err
    assert (tmp_path / LOG).exists()


def test_the_page_is_given_a_server_that_passes_every_check(run: Run, tmp_path: Path) -> None:
    put_vllm(tmp_path)
    with model_server("some/model", Settings.load()) as variables, pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        assert run("vllm", "--check").status == 0


def test_a_key_of_the_settings_is_the_key_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put_vllm(tmp_path)
    monkeypatch.setenv("FOOTNOTE_LLM__API_KEY", KEY)
    with model_server("some/model", Settings.load()) as variables:
        assert variables["FOOTNOTE_LLM__API_KEY"] == KEY
