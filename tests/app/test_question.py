"""What a person typed is made askable or refused with a reason."""

import pytest

from app.errors import InvalidQuestionError, InvalidUserError
from app.question import clean_question, read_user
from graph.turn import User


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x01\x1b", "\u200b\u200e", "\ud800", "\u0301"])
def test_a_question_with_nothing_readable_is_refused(text: str) -> None:
    with pytest.raises(InvalidQuestionError, match="empty"):
        clean_question(text, 100)


def test_a_question_over_the_limit_is_refused_with_both_figures() -> None:
    with pytest.raises(InvalidQuestionError, match=r"20,000 characters; at most 4,000"):
        clean_question("a" * 20_000, 4000)


def test_a_question_at_the_limit_is_accepted() -> None:
    assert clean_question("a" * 10, 10) == "a" * 10


@pytest.mark.parametrize("text", ["⛺🔥", "هل هو مقاوم للماء؟", "テントの重さは", "?", "👩‍👩‍👧"])
def test_emoji_and_every_script_are_questions(text: str) -> None:
    assert clean_question(text, 100) == text


def test_control_characters_are_dropped_and_line_breaks_become_spaces() -> None:
    assert clean_question(" How\x00 heavy\nis\tit?\x1b ", 100) == "How heavy is it?"


def test_a_user_is_read_from_json_or_a_mapping() -> None:
    user = User(role="seller", region="EU")
    assert read_user('{"role": "seller", "region": "EU"}') == user
    assert read_user({"role": "seller", "region": "EU"}) == user
    assert read_user(user) is user
    assert read_user(None) is None


@pytest.mark.parametrize(
    ("given", "reason"),
    [("{role", "no JSON"), ("[1]", "the whole"), ('{"rolle": "buyer"}', "rolle"), ('{"role": "owner"}', "role")],
)
def test_a_user_that_is_none_is_refused_with_the_reason(given: str, reason: str) -> None:
    with pytest.raises(InvalidUserError, match=reason):
        read_user(given)
