"""The real page in a real browser: ask, open a citation, see the cited words."""

from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.system.visits import TURN_MS, Serve, ask, come_to_rest, keep_picture

pytestmark = pytest.mark.system

ColorScheme = Literal["light", "dark"]


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
    page.locator(".turn .cite summary").first.click()
    page.keyboard.press("Escape")
    expect(page.locator(".panel mark").first).to_be_hidden()


def test_a_source_moves_nothing_and_closes_by_a_click_beside_it(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    before = place(page.locator(".turn"))
    page.locator(".turn .cite summary").first.click()
    panel = page.locator(".panel").first
    expect(panel).to_be_visible()
    assert place(page.locator(".turn")) == before
    assert before["x"] + before["width"] <= place(panel)["x"], "and is not covered"
    page.locator(".panel .title").first.click()
    expect(panel).to_be_visible()
    page.locator(".question").click()
    expect(panel).to_be_hidden()


def test_what_is_folded_opens_below_toggles_that_stay_where_they_are(page: Page, address: str) -> None:
    page.goto(address)
    for turn, question in enumerate(("What do customers say about the Aurora X2?", "How heavy is it?"), start=1):
        ask(page, question, turn)
    toggles = page.locator(".fold > summary")
    sources, inside = toggles.nth(2), toggles.nth(3)
    before = place(sources), place(inside)
    inside.click()
    expect(page.locator(".plainly").last).to_be_visible()
    sources.click()
    expect(page.locator(".sources q").last).to_be_visible()
    page.wait_for_timeout(300)  # within which a page would have scrolled
    assert (place(sources), place(inside)) == before
    inside.click()
    expect(page.locator(".plainly").last).to_be_hidden()


def place(what: Locator) -> FloatRect:
    """Where something stands on the screen."""
    found = what.bounding_box()
    assert found is not None
    return found


def test_what_is_the_matter_with_an_answer_is_sent(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    page.locator("[class*=st-key-feedback-] button").last.click()
    send = page.get_by_role("button", name="Send", exact=True)
    expect(send).to_be_in_viewport(ratio=1)
    page.get_by_label("In your own words").fill("It is heavier.")
    send.click()
    expect(page.get_by_text("Thank you.")).to_be_visible(timeout=TURN_MS)


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
    page.locator(".inside > summary").click()
    keep_picture(page, "comparison")


def test_an_empty_chat_greets_with_questions(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".welcome h1")).to_be_visible(timeout=TURN_MS)
    keep_picture(page, "welcome")
    page.locator("[class*=st-key-example-] button").first.click()
    expect(page.locator(".turn")).to_have_count(1, timeout=TURN_MS)


def test_an_answer_is_copied_with_its_sources(browser: Browser, address: str) -> None:
    page = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto(address)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    page.get_by_role("button", name="Copy with sources").click()
    expect(page.locator(".tools [role=status]")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "172 g" in copied.partition("\n\nSources\n[1] ")[0]
    assert "“" in copied.partition("\n\nSources\n[1] ")[2]


def test_a_spoken_answer_can_be_read_aloud(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_text("Answers to listen to").click(timeout=TURN_MS)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    expect(page.get_by_role("button", name="Listen")).to_be_visible()


def test_a_conversation_is_saved_and_deleted(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    page.locator("[class*=st-key-menu-] button").first.click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as Markdown").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert "[^1]: Specification" in text
    assert saved.value.suggested_filename.startswith("how-heavy-is-the-aurora-x2-2")
    keep_picture(page, "conversation-menu")
    page.get_by_role("button", name="Delete").click()
    page.locator("[class*=st-key-surely-] button").click()
    expect(page.locator(".welcome h1")).to_be_visible(timeout=TURN_MS)
    expect(page.locator("[class*=st-key-thread-]")).to_have_count(0)


def test_a_product_is_found_and_asked_about(page: Page, address: str) -> None:
    page.goto(f"{address}/products")
    expect(page.locator("[class*=st-key-look-all-]").first).to_be_visible(timeout=TURN_MS)
    keep_picture(page, "products")
    page.get_by_role("button", name="Aurora X3", exact=True).click()
    expect(page.locator(".product h1")).to_have_text("Aurora X3", timeout=TURN_MS)
    page.get_by_role("button", name="Ask about it").click()
    ask(page, "How much is it?", turn=1)
    expect(page.locator(".turn .answer")).to_contain_text("$729")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, address: str, scheme: ColorScheme) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme).new_page()
    page.goto(address)
    ask(page, "Compare the Aurora X2 and the Aurora X3", turn=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    ground = page.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert ground == {"light": "rgb(252, 251, 248)", "dark": "rgb(22, 25, 26)"}[scheme]
    keep_picture(page, f"phone-{scheme}")


def test_on_a_phone_a_long_answer_arrives_with_its_beginning_and_numbers_are_wide_apart(
    browser: Browser, address: str
) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(address)
    for turn in (1, 2):
        ask(page, "Compare the Aurora X2 and the Aurora X3", turn)
        assert 0 <= place(page.locator(".question").last)["y"] < 200
    page.reload()
    expect(page.locator(".turn")).to_have_count(2, timeout=TURN_MS)
    come_to_rest(page)
    page.wait_for_timeout(300)
    assert 0 <= place(page.locator(".question").last)["y"] < 200
    numbers = [place(number) for number in page.locator(".turn").last.locator(".cite > summary .number").all()]
    assert numbers
    assert all(number["width"] >= 24 and number["height"] >= 24 for number in numbers)
    for one, other in pairwise(numbers):
        assert other["x"] >= one["x"] + one["width"] + 2 or other["y"] >= one["y"] + one["height"]
