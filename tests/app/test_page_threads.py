"""The conversations in the page's sidebar, driven without a browser over a scripted assistant."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.errors import BusyThreadError, UnknownThreadError, UnwritableRecordsError
from app.storage.records import ThreadSummary
from app.ui.threads import file_name
from graph.turn import Turn
from tests.app.scripted_page import FakeVisit, html_of

TurnMaker = Callable[..., Turn]


@pytest.fixture
def opened(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> AppTest:
    """The page with two conversations, the first of them open."""
    visit.turns = {"t1": [a_turn(query="first")], "t2": [a_turn(query="second", turn_id="turn2")]}
    page.query_params["thread"] = "t1"
    return page.run()


def _labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button if (button.key or "").startswith("thread-")]


def test_only_the_open_conversation_has_a_menu(opened: AppTest) -> None:
    assert opened.text_input(key="name-t1").value == "first"
    assert not [field for field in opened.text_input if field.key == "name-t2"]


def test_a_conversation_is_renamed(opened: AppTest, visit: FakeVisit) -> None:
    opened.text_input(key="name-t1").set_value("Tents *for two*").run()
    assert visit.names == {"t1": "Tents *for two*"}
    assert _labels(opened) == [r"Tents \*for two\*", "second"]


def test_a_conversation_is_deleted_once_that_is_confirmed(opened: AppTest, visit: FakeVisit) -> None:
    opened.button(key="delete-t1").click().run()
    assert list(visit.turns) == ["t1", "t2"]
    opened.button(key="surely-t1").click().run()
    assert list(visit.turns) == ["t2"]
    assert "thread" not in opened.query_params
    assert "Ask the shop." in html_of(opened)


def test_a_conversation_that_is_kept_after_all_is_kept(opened: AppTest, visit: FakeVisit) -> None:
    opened.button(key="delete-t1").click().run()
    opened.button(key="keep-t1").click().run()
    assert list(visit.turns) == ["t1", "t2"]
    assert not [button for button in opened.button if button.key == "surely-t1"]


def test_a_conversation_that_is_being_answered_is_not_deleted_and_the_page_says_so(
    opened: AppTest, visit: FakeVisit
) -> None:
    visit.fails = BusyThreadError("t1")
    opened.button(key="delete-t1").click().run()
    opened.button(key="surely-t1").click().run()
    assert list(visit.turns) == ["t1", "t2"]
    assert "still being answered" in opened.error[0].value
    assert opened.query_params["thread"] == "t1"


def test_a_deletion_that_fails_says_so_in_the_menu_and_where_the_fault_is_in_the_log_alone(
    opened: AppTest, visit: FakeVisit, caplog: pytest.LogCaptureFixture
) -> None:
    visit.fails = UnwritableRecordsError(Path("/srv/records.sqlite"), "disk full")
    opened.button(key="delete-t1").click().run()
    opened.button(key="surely-t1").click().run()
    assert [problem.value for problem in opened.error] == [
        "It could not be deleted and is still here. Please try again later."
    ]
    assert opened.query_params["thread"] == "t1"
    assert "/srv/records.sqlite" in caplog.text
    opened.button(key="keep-t1").click().run()
    assert not opened.error


def test_a_conversation_that_was_deleted_in_another_tab_is_left(opened: AppTest, visit: FakeVisit) -> None:
    visit.fails = UnknownThreadError("t1")
    opened.button(key="delete-t1").click().run()
    opened.button(key="surely-t1").click().run()
    assert not opened.error
    assert "thread" not in opened.query_params


def test_many_conversations_can_be_searched(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.turns = {f"t{number}": [a_turn(query=f"question {number}")] for number in range(6)}
    page.run()
    page.text_input(key="holding").set_value("question 4").run()
    assert _labels(page) == ["question 4"]
    page.text_input(key="holding").set_value("nothing of it").run()
    assert _labels(page) == []
    assert 'No conversation mentions "nothing of it".' in [told.value.replace("\\", "") for told in page.caption]
    page.text_input(key="holding").set_value("").run()
    assert len(_labels(page)) == 6


def test_a_conversation_is_saved_as_markdown_and_as_json(opened: AppTest) -> None:
    saved = {button.proto.id: button.label for button in opened.get("download_button")}
    assert sorted(saved.values()) == ["Save as JSON", "Save as Markdown"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("How heavy is the Kestrel 2?", "how-heavy-is-the-kestrel-2-2026-06-01"),
        ("Größe / ../etc: Tarn™ 14", "größe-etc-tarn-14-2026-06-01"),
        ("?!", "conversation-2026-06-01"),
        ("x" * 200, f"{'x' * 60}-2026-06-01"),
    ],
)
def test_a_saved_file_is_called_as_its_conversation_with_the_day(title: str, name: str) -> None:
    assert file_name(ThreadSummary("t1", title, datetime(2026, 6, 1, tzinfo=UTC), 1)) == name
