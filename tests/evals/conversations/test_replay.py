"""Replaying conversations, over assistants that say prepared turns."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.errors import InputError
from evals.conversations.fixtures import Conversation
from evals.conversations.replay import ConversationResult, Indexes, Replayer
from graph.turn import Turn, User
from ingestion.errors import MissingIndexError

MakeTurn = Callable[..., Turn]
ReplayerOf = Callable[..., tuple[Replayer, list[Any]]]
CLARIFICATION = {"question": "Which one?", "options": ["Pellow Flip", "Corvane S13 Flip"]}
FILE = Path("some.conversation.yaml")


def conversation(*turns: dict[str, Any], **fields: Any) -> Conversation:  # noqa: ANN401 - as a fixture would say it
    return Conversation.model_validate({"turns": turns, **fields})


def keys(result: ConversationResult) -> list[tuple[int, str]]:
    return [(failure.turn, failure.key) for failure in result.failures]


def test_turns_follow_each_other_in_one_thread_and_conversations_do_not(
    make_turn: MakeTurn, replayer_of: ReplayerOf
) -> None:
    replayer, opened = replayer_of(*[make_turn()] * 4)
    two = conversation({"user": "a"}, {"user": "b", "style": "voice"})
    assert replayer.run(FILE, two).passed
    assert replayer.run(FILE, two).passed
    asked = opened[0].asked
    assert [(one["text"], one["style"]) for one in asked] == [("a", "text"), ("b", "voice")] * 2
    assert asked[0]["thread"] == asked[1]["thread"] != asked[2]["thread"] == asked[3]["thread"]


def test_who_asks_is_said_once_and_known_to_the_thread_from_then_on(
    make_turn: MakeTurn, replayer_of: ReplayerOf
) -> None:
    replayer, opened = replayer_of(InputError("empty"), make_turn(), make_turn())
    replayer.run(FILE, conversation({"user": ""}, {"user": "b"}, {"user": "c"}, user={"role": "seller"}))
    seller = User(role="seller")
    assert [one["user"] for one in opened[0].asked] == [seller, seller, None]


def test_the_clock_says_what_the_fixture_says(make_turn: MakeTurn, replayer_of: ReplayerOf) -> None:
    replayer, opened = replayer_of(*[make_turn()] * 4)
    turns = [{"user": "a"}, {"user": "b", "now": "2026-06-02T10:00"}, {"user": "c"}]
    replayer.run(FILE, conversation(*turns, now="2026-06-01"))
    replayer.run(FILE, conversation({"user": "d"}))
    first, *later, unset = [one["now"] for one in opened[0].asked]
    assert first == datetime(2026, 6, 1, tzinfo=UTC)
    assert later == [datetime(2026, 6, 2, 10, tzinfo=UTC)] * 2
    assert abs((datetime.now(UTC) - unset).total_seconds()) < 60


def test_a_failed_turn_does_not_stop_the_conversation(make_turn: MakeTurn, replayer_of: ReplayerOf) -> None:
    replayer, _ = replayer_of(make_turn(outcome="no_answer"), make_turn(), make_turn(outcome="no_answer"))
    result = replayer.run(FILE, conversation(*[{"user": "a", "expect": {"outcome": "clear"}}] * 3))
    assert keys(result) == [(1, "outcome"), (3, "outcome")]
    assert not result.passed


@pytest.mark.parametrize(
    ("error", "said"), [(InputError("The question is empty."), "The q"), (KeyError("x"), "KeyError: 'x'")]
)
def test_a_turn_without_an_answer_is_a_failed_turn(
    make_turn: MakeTurn, replayer_of: ReplayerOf, error: Exception, said: str
) -> None:
    replayer, _ = replayer_of(error, make_turn())
    result = replayer.run(FILE, conversation({"user": "a"}, {"user": "b"}))
    assert keys(result) == [(1, "answer")]
    assert str(result.failures[0].got).startswith(said)
    assert result.turns[1].turn is not None


@pytest.mark.parametrize(
    ("click", "said", "found"),
    [
        ("pellow flip", "Pellow Flip", []),
        ("corvane", "Corvane S13 Flip", []),
        ("flip", "flip", [(2, "click")]),
        ("Aurora X2", "Aurora X2", [(2, "click")]),
        ("And the display?", "And the display?", []),
    ],
)
def test_a_click_says_the_option_that_was_offered(
    make_turn: MakeTurn, replayer_of: ReplayerOf, click: str, said: str, found: list[tuple[int, str]]
) -> None:
    asking = make_turn(outcome="ambiguous", clarification=CLARIFICATION, followups=["And the display?"])
    replayer, opened = replayer_of(asking, make_turn())
    result = replayer.run(FILE, conversation({"user": "the Flip?"}, {"click": click}))
    assert opened[0].asked[1]["text"] == said
    assert keys(result) == found


def test_one_assistant_answers_for_one_index_and_is_closed_at_the_end(
    make_turn: MakeTurn, replayer_of: ReplayerOf, index_folder: Path
) -> None:
    replayer, opened = replayer_of(make_turn(), make_turn())
    with replayer:
        replayer.run(FILE, conversation({"user": "a"}))
        replayer.run(FILE, conversation({"user": "b"}, index=str(index_folder)))
    assert [one.closed for one in opened] == [True]


def test_a_conversation_whose_index_needs_an_unset_variable_is_skipped(replayer_of: ReplayerOf) -> None:
    replayer, _ = replayer_of()
    result = replayer.run(FILE, conversation({"user": "a"}, index="$FOOTNOTE_NOWHERE_AT_ALL/shop"))
    assert "FOOTNOTE_NOWHERE_AT_ALL is not set" in str(result.skipped)
    assert not result.failures


def test_an_index_that_cannot_be_opened_fails_its_conversation(tmp_path: Path) -> None:
    def refuse(folder: Path, _clock: object) -> Any:  # noqa: ANN401 - it never returns
        raise MissingIndexError(folder)

    replayer = Replayer(Indexes(lambda _shop, _folder: None, given=str(tmp_path / "none")), refuse)
    result = replayer.run(FILE, conversation({"user": "a"}))
    assert keys(result) == [(0, "index")]
    assert "footnote ingest" in str(result.failures[0].got)
