"""What replay says of a conversation."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from evals.conversations.expectations import Failure
from evals.conversations.fixtures import FixtureTurn
from evals.conversations.replay import ConversationResult, TurnResult
from evals.conversations.replay_output import as_words, describe_failures, print_conversation, print_summary, to_json
from graph.turn import Turn

FAILURE = Failure(2, "answer_contains", {"any": ["4.2 lb", "2 kg"]}, "The Kestrel 2\nweighs 1.9 kg [1].")


@pytest.fixture
def failed(make_turn: Callable[..., Turn]) -> ConversationResult:
    asked = FixtureTurn(user="and in pounds?")
    turns = [TurnResult(number, "and in pounds?", asked, make_turn(), [], 10.0) for number in (1, 2)]
    turns[1].failures.append(FAILURE)
    return ConversationResult(Path("a.conversation.yaml"), "weights", turns)


def shown(result: ConversationResult) -> str:
    console = Console(record=True, width=120)
    print_conversation(console, result)
    print_summary(console, [result])
    return console.export_text()


def test_a_failure_shows_turn_key_expected_and_got(failed: ConversationResult) -> None:
    parts = ["2", "answer_contains", '{"any": ["4.2 lb", "2 kg"]}', "The Kestrel 2 weighs 1.9 kg [1]."]
    row = next(line for line in shown(failed).splitlines() if "answer_contains" in line)
    assert [part in row for part in parts] == [True] * 4
    assert "“and in pounds?”" in shown(failed)
    assert "1 of 2 turns hold" in shown(failed)
    assert all(part in describe_failures(failed) for part in parts)


def test_a_phrase_that_must_not_be_said_does_not_read_as_one_that_must(failed: ConversationResult) -> None:
    failed.turns[1].failures[:] = [Failure(2, "answer_excludes", "Kettles", "Kettles and pots.")]
    assert "must not say: Kettles" in shown(failed)
    assert "expected: must not say: Kettles" in describe_failures(failed)


def test_brackets_in_an_answer_are_no_markup(failed: ConversationResult) -> None:
    failed.turns[1].failures.append(Failure(2, "answer_excludes", "[bold]", "[/red] [1]"))
    assert "[/red] [1]" in shown(failed)


def test_what_was_cited_is_told_in_short() -> None:
    spec = {"evidence_id": "spec:wren", "source_type": "spec", "product": "wren", "quote": "Weight:\n1 kg"}
    review = {"evidence_id": "review:r1", "source_type": "review", "product": "wren", "quote": "Light"}
    assert as_words([spec, review]) == "spec:wren “Weight: 1 kg”; review:r1 about wren “Light”"


def test_a_skipped_conversation_says_why_and_is_no_failure() -> None:
    skipped = ConversationResult(Path("a"), "elsewhere", skipped="FOOTNOTE_BENCH is not set")
    assert "FOOTNOTE_BENCH is not set" in shown(skipped)
    told = to_json([skipped])
    assert (told["passed"], told["conversations"][0]["status"]) == (True, "skipped")
