"""The shop's people at work in a real browser, beside a customer in another."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.system.visits import TURN_MS, Serve, ask, come_to_rest, keep_picture, serious_faults

pytestmark = pytest.mark.system

STAFF_PASSWORD = "battery staple"  # noqa: S105 - of the tests
UNKNOWN = "Can the Aurora X2 record slow motion?"
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
FACT = "The Aurora X2 records slow motion at 240 frames per second."


@pytest.fixture(scope="module")
def address(index: Path, serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page over an index of its own, to which facts are added."""
    own = tmp_path_factory.mktemp("own") / "index"
    shutil.copytree(index, own)
    return serve(own, FOOTNOTE_SERVE__STAFF_PASSWORD=STAFF_PASSWORD)


@pytest.fixture
def customer(browser: Browser, address: str) -> Page:
    page = browser.new_context().new_page()
    page.goto(address)
    return page


@pytest.fixture
def staff(browser: Browser, address: str) -> Page:
    """Somebody who has signed in to the staff page."""
    page = browser.new_context(viewport={"width": 1360, "height": 900}).new_page()
    page.goto(f"{address}/staff")
    expect(page.get_by_text("for the people of the shop")).to_be_visible()
    page.locator("input[type=password]").fill(STAFF_PASSWORD)
    page.get_by_role("button").click()
    expect(page).to_have_url(re.compile("/staff"))
    return page


def look(page: Page, view: str) -> None:
    """Open a view of the staff page."""
    page.get_by_role("radio", name=re.compile(f"^{view}")).click(timeout=TURN_MS)
    expect(page).to_have_url(re.compile(f"view={view}"), timeout=TURN_MS)
    come_to_rest(page)


def test_the_staff_page_is_closed_to_a_customer(customer: Page, address: str) -> None:
    customer.goto(f"{address}/staff")
    expect(customer.locator("input[type=password]")).to_be_visible()
    expect(customer.get_by_text("Hand-offs")).to_have_count(0)


def test_a_reply_appears_in_the_conversation_that_was_handed_over(customer: Page, staff: Page) -> None:
    ask(customer, "I want to talk to a person please", turn=1)
    look(staff, "Hand-offs")
    staff.get_by_label("Reply into the conversation").fill("We will call you at noon.")
    staff.get_by_role("button", name="Reply").click()
    expect(staff.locator(".person")).to_contain_text("We will call you at noon.", timeout=TURN_MS)
    keep_picture(staff, "staff-handoffs")
    customer.reload()
    expect(customer.locator(".person")).to_contain_text("We will call you at noon.", timeout=TURN_MS)
    staff.get_by_role("button", name="Close").click()
    expect(staff.get_by_text("Nobody waits for a person.")).to_be_visible(timeout=TURN_MS)


def test_a_fact_that_is_missing_is_written_and_answers_the_next_question(customer: Page, staff: Page) -> None:
    ask(customer, UNKNOWN, turn=1)
    look(staff, "Gaps")
    expect(staff.get_by_text(UNKNOWN)).to_be_visible(timeout=TURN_MS)
    staff.locator("summary", has_text="Write the missing fact").first.click()
    staff.get_by_label("The fact, in one or two sentences").first.fill(FACT)
    keep_picture(staff, "staff-gaps")
    staff.get_by_role("button", name="Save and answer with it").first.click()
    expect(staff.get_by_text("Who asks that is told now")).to_be_visible(timeout=TURN_MS)
    expect(staff.locator(".turn .answer")).to_contain_text("240 frames", timeout=TURN_MS)
    expect(staff.locator("summary", has_text="Write the missing fact")).to_have_count(0)
    ask(customer, UNKNOWN, turn=2)
    expect(customer.locator(".turn .answer").last).to_contain_text("240 frames")
    customer.locator(".turn .cite summary").last.click()
    expect(customer.locator(".cite[open] .panel mark").first).to_have_text(FACT)


def test_a_bad_answer_and_an_opened_source_reach_the_staff_and_become_a_test(customer: Page, staff: Page) -> None:
    ask(customer, "How heavy is the Aurora X2?", turn=1)
    with customer.expect_response(re.compile("/opened/")) as opened:
        customer.locator(".turn .cite summary").first.click()
    assert opened.value.status == 204
    customer.locator(".cite[open] .close").click()
    customer.locator("[class*=st-key-feedback-] button").last.click()
    come_to_rest(customer)
    look(staff, "Feedback")
    expect(staff.get_by_text("How heavy is the Aurora X2?").first).to_be_visible(timeout=TURN_MS)
    keep_picture(staff, "staff-feedback")
    staff.set_viewport_size({"width": 1360, "height": 420})
    staff.get_by_role("button", name="Make a test of it").scroll_into_view_if_needed()
    assert staff.evaluate(SCROLLED) > 0
    staff.get_by_role("button", name="Make a test of it").click()
    expect(staff).to_have_url(re.compile("view=Tests"), timeout=TURN_MS)
    expect(staff.get_by_role("button", name="Run it")).to_be_visible(timeout=TURN_MS)
    come_to_rest(staff)
    assert staff.evaluate(SCROLLED) == 0
    staff.set_viewport_size({"width": 1360, "height": 900})
    staff.get_by_role("button", name="Run it").click(timeout=TURN_MS)
    expect(staff.get_by_text("must not say: The Aurora X2 weighs 172 g.").first).to_be_visible(timeout=TURN_MS)
    keep_picture(staff, "staff-tests")
    with staff.expect_download() as saved:
        staff.get_by_role("button", name="Download").first.click()
    assert saved.value.suggested_filename == "how-heavy-is-the-aurora-x2.conversation.yaml"
    look(staff, "Feedback")
    staff.get_by_text("Shop data wrong").click(timeout=TURN_MS)
    expect(staff.get_by_text("No answer waits to be looked at.")).to_be_visible(timeout=TURN_MS)
    look(staff, "Quality")
    expect(staff.locator('[data-testid="stMetric"]').filter(has_text="Sources opened")).to_contain_text(
        re.compile(r"[1-9]\d*%")
    )
    keep_picture(staff, "staff-quality")


@pytest.mark.parametrize("view", ["Reviews", "Hand-offs", "Feedback", "Gaps", "Quality", "Knowledge", "Tests"])
def test_every_view_can_be_used_by_all_on_any_screen(staff: Page, view: str) -> None:
    look(staff, view)
    assert serious_faults(staff) == []
    staff.set_viewport_size({"width": 390, "height": 844})
    come_to_rest(staff)
    assert staff.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    keep_picture(staff, f"staff-{view.lower()}-phone")


def test_the_chosen_view_can_be_told_from_the_others_in_the_dark(staff: Page) -> None:
    staff.emulate_media(color_scheme="dark")
    staff.reload()
    look(staff, "Reviews")
    assert serious_faults(staff) == []
