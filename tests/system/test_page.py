"""The real page in a real browser: ask, open a citation, see the cited words."""

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
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

pytestmark = pytest.mark.system

SCREENSHOTS = Path(__file__).parent / "screenshots"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TURN_MS = 120_000
"""The first turn of a process loads the models."""


@pytest.fixture(scope="module")
def chromium() -> str:
    """The browser's program."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        missing = "Chromium is not installed (Debian: apt install chromium)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@pytest.fixture(scope="module")
def address(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The served page over the small shop."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app.cli", "serve", "--index", str(index), "--port", str(port)]
    folder = tmp_path_factory.mktemp("served")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(command, cwd=folder, env=environment)  # noqa: S603 - our own command
    try:
        _wait_for(f"http://localhost:{port}/_stcore/health", process)
        yield f"http://localhost:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


@pytest.fixture
def page(chromium: str) -> Iterator[Page]:
    """A browser window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser.new_page(viewport={"width": 1360, "height": 900})
        browser.close()


def test_a_visitor_asks_and_reads_the_source(page: Page, address: str) -> None:
    page.goto(address)
    _ask(page, "How heavy is the Aurora X2?", turn=1)
    expect(page.locator(".turn .answer")).to_contain_text("172 g")
    page.locator(".turn .cite summary").first.click()
    expect(page.locator(".panel mark").first).to_be_visible()
    expect(page.locator(".panel mark").first).to_contain_text("172 g")
    _keep(page, "citation")
    page.locator(".cite[open] .close").click()
    expect(page.locator(".panel mark").first).to_be_hidden()


def test_a_conversation_survives_a_reload(page: Page, address: str) -> None:
    page.goto(address)
    _ask(page, "What do customers say about the Aurora X2?", turn=1)
    _ask(page, "and the battery?", turn=2)
    expect(page.locator(".understood")).to_contain_text("Aurora X2")
    page.reload()
    expect(page.locator(".turn")).to_have_count(2, timeout=TURN_MS)
    expect(page.locator("[class*=st-key-thread-]").first).to_be_visible()
    _keep(page, "conversation")


def test_two_products_are_compared_in_a_table(page: Page, address: str) -> None:
    page.goto(f"{address}/?product=aurora-x3")
    expect(page.locator(".card .price")).to_have_text("$729", timeout=TURN_MS)
    _ask(page, "Compare the Aurora X2 and the Aurora X3", turn=1)
    expect(page.locator(".turn table").first).to_be_visible()
    page.locator(".inside summary").click()
    _keep(page, "comparison")


def test_an_empty_chat_greets_with_questions(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".welcome h1")).to_be_visible(timeout=TURN_MS)
    _keep(page, "welcome")
    page.locator("[class*=st-key-example-] button").first.click()
    expect(page.locator(".turn")).to_have_count(1, timeout=TURN_MS)


def _ask(page: Page, question: str, turn: int) -> None:
    box = page.locator('[data-testid="stChatInput"] textarea')
    box.wait_for(timeout=TURN_MS)
    box.fill(question)
    box.press("Enter")
    expect(page.locator(".turn")).to_have_count(turn, timeout=TURN_MS)


def _keep(page: Page, name: str) -> None:
    """Keep a picture, so that a person can judge the looks."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.wait_for_timeout(700)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=1):  # noqa: S310 - our own page
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the page did not answer; exit status {process.poll()}")
