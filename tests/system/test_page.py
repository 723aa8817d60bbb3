"""The real page in a real browser: ask, open a citation, see the cited words."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.system.visits import TURN_MS, Serve, ask, keep_picture

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def address(index: Path, serve: Serve) -> str:
    """The served page over the small shop."""
    return serve(index)


@pytest.fixture
def page(browser: Browser) -> Page:
    """A browser window."""
    return browser.new_page(viewport={"width": 1360, "height": 900})


def test_a_visitor_asks_and_reads_the_source(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    expect(page.locator(".turn .answer")).to_contain_text("172 g")
    page.locator(".turn .cite summary").first.click()
    expect(page.locator(".panel mark").first).to_be_visible()
    expect(page.locator(".panel mark").first).to_contain_text("172 g")
    keep_picture(page, "citation")
    page.locator(".cite[open] .close").click()
    expect(page.locator(".panel mark").first).to_be_hidden()


def test_a_conversation_survives_a_reload(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "What do customers say about the Aurora X2?", turn=1)
    ask(page, "and the battery?", turn=2)
    expect(page.locator(".understood")).to_contain_text("Aurora X2")
    page.reload()
    expect(page.locator(".turn")).to_have_count(2, timeout=TURN_MS)
    expect(page.locator("[class*=st-key-thread-]").first).to_be_visible()
    keep_picture(page, "conversation")


def test_two_products_are_compared_in_a_table(page: Page, address: str) -> None:
    page.goto(f"{address}/?product=aurora-x3")
    expect(page.locator(".card .price")).to_have_text("$729", timeout=TURN_MS)
    ask(page, "Compare the Aurora X2 and the Aurora X3", turn=1)
    expect(page.locator(".turn table").first).to_be_visible()
    page.locator(".inside summary").click()
    keep_picture(page, "comparison")


def test_an_empty_chat_greets_with_questions(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".welcome h1")).to_be_visible(timeout=TURN_MS)
    keep_picture(page, "welcome")
    page.locator("[class*=st-key-example-] button").first.click()
    expect(page.locator(".turn")).to_have_count(1, timeout=TURN_MS)
