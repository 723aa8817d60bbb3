"""A vLLM server that is started beside the chat: it is waited for, used, and gone with the chat."""

import socket
from pathlib import Path

import httpx
import pytest

from app.child_server import ServerFailedError, free_port
from app.errors import AppError
from app.llm.checks import check_server
from app.llm.options import LlmOptions
from app.llm.vllm import FIRST_PORT, ServerPlan, running_server
from tests.app.llm.fake_vllm import DYING, put_vllm

MODEL = "some/model"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServerPlan:
    """What is served, from a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return ServerPlan(MODEL, context=9_000, port=probe.getsockname()[1])


def options(variables: dict[str, str]) -> LlmOptions:
    return LlmOptions(
        base_url=variables["FOOTNOTE_LLM__BASE_URL"],
        model=variables["FOOTNOTE_LLM__MODEL"],
        api_key=variables["FOOTNOTE_LLM__API_KEY"],
    )


def test_it_takes_requests_as_long_as_it_is_needed_and_is_gone_afterwards(plan: ServerPlan, tmp_path: Path) -> None:
    put_vllm(tmp_path)
    log = tmp_path / ".footnote" / "vllm.log"
    with running_server(plan, log, print) as variables:
        found = list(check_server(options(dict(variables)), needed_context=plan.context))
        assert [finding.status for finding in found] == ["passed"] * 5
        assert "127.0.0.1" in variables["NO_PROXY"]
    assert f"serving {MODEL}" in log.read_text()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{plan.base_url}/models")


def test_only_who_has_the_key_is_served(plan: ServerPlan, tmp_path: Path) -> None:
    put_vllm(tmp_path)
    with running_server(plan, tmp_path / "vllm.log", print) as variables:
        assert len(variables["FOOTNOTE_LLM__API_KEY"]) > 20
        assert httpx.get(f"{plan.base_url}/models").status_code == 401
    with running_server(plan, tmp_path / "vllm.log", print, key="mine") as variables:
        assert variables["FOOTNOTE_LLM__API_KEY"] == "mine"


def test_it_is_gone_too_where_the_chat_ends_badly(plan: ServerPlan, tmp_path: Path) -> None:
    put_vllm(tmp_path)

    def chat() -> None:
        with running_server(plan, tmp_path / "vllm.log", print):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chat()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{plan.base_url}/models")


def test_one_that_dies_is_told_with_its_last_lines(
    plan: ServerPlan, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    put_vllm(tmp_path, DYING)
    log = tmp_path / "vllm.log"
    with pytest.raises(ServerFailedError, match="status 3") as told, running_server(plan, log, print):
        pytest.fail("it never came up")
    assert str(log) in str(told.value)
    assert "Failed to infer device type" in capfd.readouterr().err


def test_where_it_is_not_installed_what_installs_it_is_told(plan: ServerPlan, tmp_path: Path) -> None:
    with pytest.raises(AppError, match="make run-llm"), running_server(plan, tmp_path / "vllm.log", print):
        pytest.fail("there is nothing to start")


def test_one_on_the_path_will_do(plan: ServerPlan, tmp_path: Path) -> None:
    put_vllm(tmp_path).rename(tmp_path / "vllm")
    assert not (tmp_path / ".venv-llm" / "bin" / "vllm").exists()
    with running_server(plan, tmp_path / "vllm.log", print) as variables:
        assert variables["FOOTNOTE_LLM__MODEL"] == MODEL


def test_a_taken_port_is_passed_over() -> None:
    with socket.socket() as other:
        try:
            other.bind(("127.0.0.1", FIRST_PORT))
            other.listen()
        except OSError:
            pass  # another program has it, which is the case
        assert free_port((FIRST_PORT, 0)) not in (0, FIRST_PORT)
