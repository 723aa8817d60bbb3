"""The conversations in the page's sidebar, driven without a browser over a scripted assistant."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from app.errors import BusyThreadError
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
    assert opened.toast
    assert opened.query_params["thread"] == "t1"


def test_many_conversations_can_be_searched(page: AppTest, visit: FakeVisit, a_turn: TurnMaker) -> None:
    visit.turns = {f"t{number}": [a_turn(query=f"question {number}")] for number in range(6)}
    page.run()
    page.text_input(key="holding").set_value("question 4").run()
    assert _labels(page) == ["question 4"]
    page.text_input(key="holding").set_value("nothing of it").run()
    assert _labels(page) == []
    page.text_input(key="holding").set_value("").run()
    assert len(_labels(page)) == 6


def test_a_conversation_is_saved_as_markdown_and_as_json(opened: AppTest) -> None:
    saved = {button.proto.id: button.label for button in opened.get("download_button")}
    assert sorted(saved.values()) == ["Save as JSON", "Save as Markdown"]
