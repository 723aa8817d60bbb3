"""What always holds of a turn (contract, section 3), whatever was asked; of fixtures, their own conftest says so."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from app.assistant import Assistant
from app.turns import AnswerPiece, Finished
from evals.conversations.replay import Replayer
from graph.turn import Style
from tests.generated_questions import generated_questions
from tests.invariants import violations_of

QUESTIONS = 120
QUESTIONS_A_THREAD = 8
STYLES: tuple[Style, ...] = ("text", "text", "plain", "voice")


@pytest.fixture(scope="session")
def assistant(replayer: Replayer) -> Assistant:
    opened = replayer.assistant("demo", Path(__file__))
    assert isinstance(opened, Assistant)
    return opened


@pytest.mark.parametrize("thread", range(QUESTIONS // QUESTIONS_A_THREAD))
def test_generated_questions_get_turns_that_keep_the_invariants(thread: int, assistant: Assistant) -> None:
    first = thread * QUESTIONS_A_THREAD
    questions = generated_questions(assistant.products, QUESTIONS)[first : first + QUESTIONS_A_THREAD]
    broken: dict[str, list[str]] = {}
    for position, question in enumerate(questions):
        style = STYLES[position % len(STYLES)]
        pieces, turn = [], None
        for event in assistant.stream(question, thread=f"generated-{thread}", style=style):
            if isinstance(event, AnswerPiece):
                pieces.append(event.text)
            elif isinstance(event, Finished):
                turn = event.turn
        assert turn is not None
        found = violations_of(assistant, turn, style)
        if "".join(pieces) != turn.answer:
            found.append("what was streamed is not the answer")
        broken[question] = found
    _assert_unbroken(broken)


def test_generated_questions_are_the_same_in_every_run(assistant: Assistant) -> None:
    questions = generated_questions(assistant.products, QUESTIONS)
    assert len(questions) == QUESTIONS
    assert generated_questions(assistant.products, QUESTIONS) == questions
    assert len(set(questions)) > QUESTIONS * 0.8


def _assert_unbroken(broken: Mapping[str, Sequence[str]]) -> None:
    lines = [f"{said}\n    {message}" for said, found in broken.items() for message in found]
    assert not lines, "\n".join(lines)
