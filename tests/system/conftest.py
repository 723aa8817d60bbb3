"""A browser, and pages served for it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.system.visits import FLAGS, Serve


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        missing = "Chromium is not installed (Debian: apt install chromium)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@pytest.fixture
def browser(chromium: str) -> Iterator[Browser]:
    """A browser; each of its contexts is a visitor of its own."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Serves pages until the module's tests are over."""
    with ExitStack() as pages:

        def begin(index: Path, **settings: str) -> str:
            return pages.enter_context(_served(index, tmp_path_factory.mktemp("served"), settings))

        yield begin


@contextmanager
def _served(index: Path, folder: Path, settings: dict[str, str]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app.cli", "serve", "--index", str(index), "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **settings}
    process = subprocess.Popen(command, cwd=folder, env=environment)  # noqa: S603 - our own command
    try:
        _wait_for(f"http://localhost:{port}/_stcore/health", process)
        yield f"http://localhost:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=1):  # noqa: S310 - our own page
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the page did not answer; exit status {process.poll()}")
