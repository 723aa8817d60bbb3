"""Visits of the served page: what its tests share."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TURN_MS = 120_000
"""The first turn of a process loads the models."""

Serve = Callable[..., str]
"""Serves an index, with settings as variables, and says where."""


def ask(page: Page, question: str, turn: int) -> None:
    """Type a question once the page has come to rest, and wait until the conversation has as many turns."""
    at_rest = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    at_rest.wait_for(timeout=TURN_MS)
    box = page.locator('[data-testid="stChatInput"] textarea')
    box.wait_for(timeout=TURN_MS)
    box.fill(question)
    box.press("Enter")
    expect(page.locator(".turn")).to_have_count(turn, timeout=TURN_MS)
