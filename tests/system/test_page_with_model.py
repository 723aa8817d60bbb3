"""`make run-llm`, but for the weights: the chat and its model server begin together and end together."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.llm.fake_vllm import put_vllm

pytestmark = pytest.mark.system

END_S = 30


@pytest.fixture
def chat(index: Path, tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """`footnote serve --llm` with a `vllm` that serves the scripted server."""
    put_vllm(tmp_path)
    words = [sys.executable, "-m", "app.cli", "serve", "--index", str(index), "--llm", "some/model"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOOTNOTE_")}
    process = subprocess.Popen(  # noqa: S603 - our own command
        words, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def told(process: "subprocess.Popen[str]", pattern: str) -> str:
    """Read on until a line says so; fails with what was said where none does."""
    assert process.stderr is not None
    lines = []
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found.group(1)
        lines.append(line)
    pytest.fail("".join(lines))


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_with_the_chat(chat: "subprocess.Popen[str]", ending: signal.Signals) -> None:
    model = told(chat, r"some/model is served at (\S+)")
    page = told(chat, r"The chat is served at (\S+)")
    assert httpx.get(f"{model}/models").status_code == 401, "it wants the key that the page has"
    assert httpx.get(page).is_success
    chat.send_signal(ending)
    assert chat.wait(END_S) == 0
    for address in (f"{model}/models", page):
        with pytest.raises(httpx.ConnectError):
            httpx.get(address)
