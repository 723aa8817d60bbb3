"""A served model that goes away and comes back: turns go on without it and take it up again by themselves."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app import Assistant
from app.llm.options import LlmOptions
from app.settings import Settings
from app.turns import AnswerPiece, Finished
from tests.app.llm.conftest import FixedClock
from tests.app.llm.sensible import sensible
from tests.app.llm.turns import Open, ask, broken, shown
from tests.llm_server.script import Script
from tests.llm_server.server import LlmServer

WEIGHT = "How heavy is the Aurora X2?"
BOTH = "How heavy is the Aurora X2 and how large is its battery?"
LATE = "What follows is long and of no use to anyone, " * 10
DOWN = Script(status=503)


@pytest.fixture
def own() -> Iterator[LlmServer]:
    """An endpoint of the test's own, which can be killed."""
    with LlmServer(sensible) as server:
        yield server


@pytest.fixture
def asking(index: Path, own: LlmServer, tmp_path: Path) -> Iterator[Open]:
    """Opens assistants that ask it, over the same threads and records."""
    with ExitStack() as stack:

        def opens(**options: object) -> Assistant:
            settings = Settings(
                records=tmp_path / "records.sqlite",
                threads=tmp_path / "threads.sqlite",
                llm=LlmOptions.model_validate({"base_url": own.url, "model": own.model} | options),
            )
            return stack.enter_context(Assistant.open(str(index), settings, FixedClock()))

        yield opens


def test_a_server_killed_in_mid_answer_leaves_what_was_shown_and_the_local_answer_goes_on(
    asking: Open, own: LlmServer
) -> None:
    text = f"outcome: clear\nThe Aurora X2 weighs 172 g [spec:aurora-x2]. {LATE}"
    own.answer = lambda _: Script(text, pause_s=0.02)
    assistant = asking()
    events = assistant.stream(BOTH)
    first = next(event for event in events if isinstance(event, AnswerPiece))
    own.kill()
    rest = list(events)
    finished = rest.pop()
    assert isinstance(finished, Finished)
    turn = finished.turn
    assert turn.answer == first.text + "".join(one.text for one in rest if isinstance(one, AnswerPiece))
    assert broken(assistant, turn) == []
    assert first.text == "The Aurora X2 weighs 172 g [1]."
    assert turn.answer.count("172 g") == turn.answer.count("4,500 mAh") == 1
    assert turn.degraded == "answer: the connection broke"


def test_after_failures_in_a_row_the_model_is_left_alone(asking: Open, own: LlmServer, local: Assistant) -> None:
    assistant = asking(failures=2, rest_s=60)
    own.answer = lambda _: DOWN
    failed = [ask(assistant, WEIGHT) for _ in range(2)]
    left = [ask(assistant, WEIGHT) for _ in range(3)]
    assert len(own.requests) == 2
    assert {turn.degraded for turn in failed} == {"answer: status 503"}
    assert {turn.degraded for turn in left} == {"answer: status 503; it is left alone for now"}
    assert [turn.usage.llm_calls for turn in (*failed, *left)] == [1, 1, 0, 0, 0]
    assert {turn.prompt_hash for turn in left} == {""}
    for turn in (*failed, *left):
        assert shown(turn) == shown(ask(local, WEIGHT))


def test_after_its_rest_the_model_is_taken_up_again(asking: Open, own: LlmServer) -> None:
    assistant = asking(failures=2, rest_s=0)
    own.answer = lambda _: DOWN
    for _ in range(3):
        ask(assistant, WEIGHT)
    own.answer = lambda _: Script("outcome: clear\nThe Aurora X2 weighs 172 g [spec:aurora-x2].")
    turn = ask(assistant, WEIGHT)
    assert (turn.answered_by, turn.degraded) == ("llm", None)


CONVERSATION = (
    ("How heavy is the Aurora X2?", "172 g"),
    ("and the battery?", "4,500 mAh"),
    ("is it waterproof?", "IP67"),
    ("What about the Aurora X3?", "IP68"),
    ("how much storage does it have?", "256 GB"),
    ("and its weight?", "181 g"),
    ("How large is the screen of the Aurora X2 Pro?", "6.7-inch OLED"),
    ("and its battery?", "5,000 mAh"),
    ("How heavy is the Kestrel 2?", "1.9 kg"),
    ("what is its hydrostatic head?", "3,000 mm"),
)
AWAY = range(3, 7)


def test_a_conversation_goes_on_while_the_model_is_away_and_after_a_restart(asking: Open, own: LlmServer) -> None:
    assistant = asking(failures=2, rest_s=0)
    turns = []
    for number, (text, fact) in enumerate(CONVERSATION):
        if number == AWAY.start:
            own.kill()
        if number == AWAY.stop:
            own.start()
            assistant = asking(failures=2, rest_s=0)
        turns.append(ask(assistant, text, thread="ten"))
        assert fact in turns[-1].answer
    assert [turn.degraded is not None for turn in turns] == [number in AWAY for number in range(len(turns))]
    assert {turn.answered_by for turn in turns[AWAY.stop :]} == {"llm"}
    assert asking().records.history("ten") == turns
