"""What always holds of a turn (contract, section 3): checked on every fixture's turns and on generated questions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from app.assistant import Assistant
from app.errors import UnknownSourceError
from app.turns import AnswerPiece, Finished
from evals.conversations.fixtures import load_fixture
from evals.conversations.replay import Replayer
from graph.turn import Style, Turn
from ingestion.errors import KnowledgeError
from ingestion.evidence import Product
from tests.generated_questions import generated_questions
from tests.invariants import violations

CONVERSATIONS = sorted((Path(__file__).parent / "conversations").glob("*.conversation.yaml"))
QUESTIONS = 200
QUESTIONS_A_THREAD = 8
STYLES: tuple[Style, ...] = ("text", "text", "plain", "voice")


@pytest.fixture(scope="session")
def assistant(replayer: Replayer) -> Assistant:
    opened = replayer.assistant("demo", Path(__file__))
    assert isinstance(opened, Assistant)
    return opened


@pytest.mark.parametrize("file", CONVERSATIONS, ids=lambda file: file.name.partition(".")[0])
def test_every_turn_of_a_fixture_keeps_the_invariants(file: Path, replayer: Replayer) -> None:
    conversation = load_fixture(file)
    result = replayer.run(file, conversation)
    assert result.turns, result.unopened or result.skipped
    assistant = replayer.assistant(conversation.index, file)
    assert isinstance(assistant, Assistant)
    broken = {turn.said: _violations(assistant, turn.turn, turn.asked.style) for turn in result.turns if turn.turn}
    _assert_unbroken(broken)


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
        found = _violations(assistant, turn, style)
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


def _violations(assistant: Assistant, turn: Turn, style: Style) -> list[str]:
    def lookup(evidence_id: str) -> Mapping[str, Any] | None:
        try:
            return asdict(assistant.source(evidence_id, turn.generation))
        except (UnknownSourceError, KnowledgeError):
            return None

    catalog = {product.id: _names(product) for product in assistant.products.values()}
    return violations(turn, lookup, style, catalog)


def _names(product: Product) -> list[str]:
    without_brand = product.name.removeprefix(product.brand or "").strip()
    return [product.name, without_brand, *product.aliases]
