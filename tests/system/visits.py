"""Visits of the served page: what its tests share."""

import re
from collections.abc import Callable
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

SCREENSHOTS = Path(__file__).parent / "screenshots"
SERIOUS = ("serious", "critical")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
THREAD = re.compile(r"thread=(\w+)")
TURN_MS = 120_000
"""The first turn of a process loads the models."""

Serve = Callable[..., str]
"""Serves an index, with settings as variables, and says where."""


def come_to_rest(page: Page) -> None:
    """Wait until the page's script has run to its end: nothing more is drawn."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=TURN_MS)


def ask(page: Page, question: str, turn: int) -> None:
    """Type a question once the page has come to rest; wait for as many turns, and until the address names them."""
    come_to_rest(page)
    box = page.locator('[data-testid="stChatInput"] textarea')
    box.wait_for(timeout=TURN_MS)
    box.fill(question)
    box.press("Enter")
    page.locator(".turn").nth(turn - 1).wait_for(timeout=TURN_MS)  # looks at every frame, an expectation once a second
    expect(page.locator(".turn")).to_have_count(turn)
    page.wait_for_url(THREAD, timeout=TURN_MS)
    come_to_rest(page)


def keep_picture(page: Page, name: str) -> None:
    """Keep a picture, so that a person can judge the looks."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.wait_for_timeout(700)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def serious_faults(page: Page) -> list[str]:
    """What keeps some people from using a page, as axe finds it."""
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html']}" for fault in found if fault["impact"] in SERIOUS for node in fault["nodes"]
    ]
