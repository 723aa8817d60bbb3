"""Two visitors in two browsers: neither sees, opens or guesses what is the other's; and nobody comes in unasked."""

import re
import sqlite3
import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.system.visits import THREAD, TURN_MS, Serve, ask, come_to_rest

pytestmark = pytest.mark.system

PASSWORD = "correct horse battery"  # noqa: S105 - of the tests
NOT_FOUND = "This conversation was not found."


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the served page keeps its databases."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def address(index: Path, serve: Serve, kept: Path) -> str:
    return serve(index, FOOTNOTE_RECORDS=str(kept / "records.sqlite"), FOOTNOTE_THREADS=str(kept / "threads.sqlite"))


@pytest.fixture(scope="module")
def locked(index: Path, serve: Serve) -> str:
    """The page behind a password."""
    return serve(index, FOOTNOTE_SERVE__PASSWORD=PASSWORD)


def visitor(browser: Browser) -> BrowserContext:
    return browser.new_context()


def thread_of(page: Page) -> str:
    found = THREAD.search(page.url)
    assert found is not None
    return found.group(1)


def find_nothing(page: Page, address: str) -> Locator:
    """The main part of a page whose conversation is not found, once all of it is drawn."""
    page.goto(address)
    expect(page.get_by_text(NOT_FOUND)).to_be_visible(timeout=TURN_MS)
    # The example questions are drawn last, each label by itself.
    expect(page.locator("[class*=st-key-example-]")).to_have_text([re.compile(r"\w")] * 4, timeout=TURN_MS)
    come_to_rest(page)
    return page.get_by_role("main")


def listed(page: Page) -> int:
    """Conversations in the sidebar."""
    page.locator('[data-testid="stChatInput"] textarea').wait_for(timeout=TURN_MS)
    return page.locator("[class*=st-key-thread-]").count()


def test_neither_sees_nor_opens_the_others_conversation_source_or_ticket(
    browser: Browser, address: str, kept: Path
) -> None:
    ann, bob = visitor(browser), visitor(browser)
    hers = ann.new_page()
    hers.goto(address)
    ask(hers, "How heavy is the Aurora X2?", turn=1)
    ask(hers, "I want to talk to a person please", turn=2)
    expect(hers.locator(".ticket")).to_be_visible()
    ticket, thread = hers.locator(".ticket").inner_text(), thread_of(hers)
    assert len(thread) >= 32, "long enough that nobody guesses it"

    his = bob.new_page()
    his.goto(address)
    assert listed(his) == 0
    nothing = find_nothing(his, f"{address}/?thread={'0' * 32}").text_content()
    # Another's conversation looks like one that does not exist.
    expect(find_nothing(his, f"{address}/?thread={thread}")).to_have_text(nothing or NOT_FOUND)
    assert his.locator(".turn, .panel, .ticket").count() == 0
    assert ticket not in his.content()
    assert "172 g" not in his.content()

    ask(his, "and the battery?", turn=1)
    # What he asks there begins a conversation of his own.
    expect(his).not_to_have_url(re.compile(thread), timeout=TURN_MS)
    assert "Aurora" not in his.locator(".turn").inner_text(), "which remembers nothing of hers"
    hers.reload()
    expect(hers.locator(".turn")).to_have_count(2, timeout=TURN_MS)
    assert listed(hers) == 1
    with sqlite3.connect(kept / "records.sqlite") as records:
        owners = {row[0] for row in records.execute("SELECT owner FROM threads")}
    assert len(owners) == 2


def test_the_owner_is_kept_from_scripts_and_survives_a_reload(browser: Browser, address: str) -> None:
    context = visitor(browser)
    page = context.new_page()
    page.goto(address)
    ask(page, "How heavy is the Aurora X2?", turn=1)
    cookies = {cookie["name"]: cookie for cookie in context.cookies()}
    assert cookies["footnote_owner"]["httpOnly"]
    assert cookies["footnote_owner"]["sameSite"] == "Lax"
    assert "footnote_owner" not in page.evaluate("document.cookie")
    second = context.new_page()
    second.goto(page.url)
    expect(second.locator(".turn")).to_have_count(1, timeout=TURN_MS)
    assert context.cookies()[0]["value"] == cookies[context.cookies()[0]["name"]]["value"]


def test_a_conversation_of_the_command_line_is_not_found(browser: Browser, address: str, kept: Path) -> None:
    with sqlite3.connect(kept / "records.sqlite") as records:
        records.execute("INSERT INTO threads (thread_id, owner, at) VALUES ('tents', 'local', '2026-06-01')")
    page = visitor(browser).new_page()
    page.goto(f"{address}/?thread=tents")
    expect(page.get_by_text(NOT_FOUND)).to_be_visible(timeout=TURN_MS)


def test_without_the_password_nothing_of_the_page_is_served(locked: str) -> None:
    for path in ("/", "/?thread=x", "/static/js/x.js", "/_stcore/host-config", "/media/x", "/_stcore/upload_file/x/y"):
        answer = httpx.get(locked + path, headers={"Accept": "text/html"})
        assert answer.status_code == 401
        assert "footnote_owner" not in answer.headers.get("set-cookie", "")
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert httpx.get(f"{locked}/_stcore/stream", headers=upgrade).status_code == 403
    assert httpx.get(f"{locked}/_stcore/health").is_success, "for those who watch whether it runs"


def test_the_password_opens_the_page(browser: Browser, locked: str) -> None:
    page = visitor(browser).new_page()
    page.goto(f"{locked}/?product=aurora-x3")
    sign_in(page, "wrong guess")
    expect(page.get_by_role("alert")).to_have_text("That is not the password.")
    sign_in(page, PASSWORD)
    expect(page.locator(".card .price")).to_have_text("$729", timeout=TURN_MS)


def test_guessing_slows_down_and_a_new_browser_does_not_start_over(browser: Browser, locked: str) -> None:
    wait = 0
    while wait < 4:
        answer = httpx.post(f"{locked}/sign-in", data={"password": "wrong guess"})
        wait = int(answer.headers.get("Retry-After", "0"))
        time.sleep(0 if wait >= 4 else wait)
    page = visitor(browser).new_page()
    page.goto(locked)
    sign_in(page, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("wait")
    time.sleep(wait)
    sign_in(page, PASSWORD)
    expect(page.locator('[data-testid="stChatInput"]')).to_be_visible(timeout=TURN_MS)


def sign_in(page: Page, password: str) -> None:
    page.locator("input[type=password]").fill(password)
    page.get_by_role("button").click()
