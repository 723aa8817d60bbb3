"""What a person typed is made askable or refused with a reason."""

from typing import Any

import pytest

from app.errors import InputError, InvalidUserError
from app.question import clean_question, known_thread, read_user
from graph.turn import User
from ingestion.readers.cleaning import LONGEST_RUN


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x01\x1b", "\u200b\u200e", "\ud800", "\u0301"])
def test_a_question_with_nothing_readable_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="empty"):
        clean_question(text, 100)


def test_a_question_over_the_limit_is_refused_with_both_figures() -> None:
    with pytest.raises(InputError, match=r"20,001 characters; at most 4,000"):
        clean_question("why " * 5_000 + "?", 4000)


def test_a_question_at_the_limit_is_accepted() -> None:
    assert clean_question("a" * 10, 10) == "a" * 10


@pytest.mark.parametrize("text", ["⛺🔥", "هل هو مقاوم للماء؟", "テントの重さは", "?", "👩‍👩‍👧"])
def test_emoji_and_every_script_are_questions(text: str) -> None:
    assert clean_question(text, 100) == text


def test_control_characters_are_dropped_and_line_breaks_become_spaces() -> None:
    assert clean_question(" How\x00 heavy\nis\tit?\x1b ", 100) == "How heavy is it?"


def test_runs_are_folded_before_the_limit_is_asked() -> None:
    assert clean_question(f"Is it{' ' * 9_000}dry{'!' * 9_000}", 4000) == f"Is it dry{'!' * LONGEST_RUN}"


@pytest.mark.parametrize(
    ("user", "field"),
    [
        ({"region": "ab" * 300}, "region"),
        ({"page": {"product_id": "ab" * 300}}, "product_id"),
        ({"page": {"products": ["ab" * 300]}}, "products"),
        ({"owned": ["x"] * 1_001}, "owned"),
        ({"preferences": {"ab" * 300: "x"}}, "a field's name"),
    ],
)
def test_what_is_said_of_a_user_has_limits(user: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidUserError, match=rf"{field} has [\d,]+ \w+; at most"):
        read_user(user)


def test_what_is_said_of_a_user_stands_on_one_line() -> None:
    assert read_user({"region": " Alaska\n\x00  99501 "}) == User(region="Alaska 99501")


@pytest.mark.parametrize("thread", ["ab" * 101, "a\nb", "a\x00", " a"])
def test_a_conversation_has_a_name_that_can_be_written(thread: str) -> None:
    with pytest.raises(InputError):
        known_thread(thread)


def test_a_conversation_without_a_name_is_a_new_one() -> None:
    assert known_thread("") is known_thread(None) is None
    assert known_thread("Übung 1") == "Übung 1"


def test_a_user_is_read_from_json_or_a_mapping() -> None:
    user = User(role="seller", region="EU")
    assert read_user('{"role": "seller", "region": "EU"}') == user
    assert read_user({"role": "seller", "region": "EU"}) == user
    assert read_user(user) == user
    assert read_user(None) is None


@pytest.mark.parametrize(
    ("given", "reason"),
    [("{role", "no JSON"), ("[1]", "the whole"), ('{"rolle": "buyer"}', "rolle"), ('{"role": "owner"}', "role")],
)
def test_a_user_that_is_none_is_refused_with_the_reason(given: str, reason: str) -> None:
    with pytest.raises(InvalidUserError, match=reason):
        read_user(given)
