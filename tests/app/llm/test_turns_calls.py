"""What turns cost: at most one call to read a question, one to answer it and one to repair the answer."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from app import Assistant
from app.llm.options import LlmOptions
from app.settings import Settings
from evals.conversations.fixtures import Conversation, FixtureTurn, load_fixture
from evals.conversations.replay import Indexes, SettableClock, ingest_silently
from graph.turn import Turn
from tests.app.llm.turns import Open, ask, tasks
from tests.llm_server.script import Script
from tests.llm_server.server import LlmServer

CONVERSATIONS = sorted((Path(__file__).parents[2] / "conversations").glob("*.conversation.yaml"))
TURNS = 30


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def demo(endpoint: LlmServer, clock: SettableClock, tmp_path: Path) -> Iterator[Assistant]:
    """An assistant over the demo shop that asks a sensible model."""
    folder = Indexes(ingest_silently).folder("demo", CONVERSATIONS[0])
    settings = Settings(
        records=tmp_path / "records.sqlite",
        threads=tmp_path / "threads.sqlite",
        llm=LlmOptions(base_url=endpoint.url, model=endpoint.model, rewrite_always=False),
    )
    with Assistant.open(str(folder), settings, clock) as opened:
        yield opened


def first_turns() -> Iterator[tuple[str, Conversation, FixtureTurn]]:
    """The turns of the conversations about the demo shop, with their thread."""
    for file in CONVERSATIONS:
        conversation = load_fixture(file)
        for turn in conversation.turns:
            yield file.name, conversation, turn


def test_thirty_turns_of_real_conversations_keep_within_their_calls(
    demo: Assistant, clock: SettableClock, endpoint: LlmServer
) -> None:
    begun: set[str] = set()
    costs: Counter[tuple[str, ...]] = Counter()
    outcomes: Counter[str] = Counter()
    for thread, conversation, asked in islice(first_turns(), TURNS):
        before = len(endpoint.requests)
        clock.set(asked.now or conversation.now)
        user = None if thread in begun else conversation.user
        turn = ask(demo, asked.user or asked.click or "", thread=thread, style=asked.style, user=user)
        cost = tuple(tasks(endpoint.requests[before:]))
        assert cost in {(), ("answer",), ("answer", "repair"), ("dialogue",), ("dialogue", "answer"),
                        ("dialogue", "answer", "repair")}, turn.query  # fmt: skip
        assert thread in begun or cost[:1] != ("dialogue",), f"{turn.query} stands alone"
        assert turn.usage.llm_calls == len(cost)
        begun.add(thread)
        costs[cost] += 1
        outcomes[turn.answered_by] += 1
    assert sum(costs.values()) == TURNS
    assert outcomes["llm"] > TURNS / 3, f"{dict(costs)}, {dict(outcomes)}"
    assert costs["answer", "repair"] <= TURNS / 10, dict(costs)


def test_a_question_that_leans_on_the_thread_costs_two_calls_where_the_manager_is_always_asked(
    opens: Open, endpoint: LlmServer
) -> None:
    assistant = opens(rewrite_always=True)
    turns: list[Turn] = [
        ask(assistant, text, thread="two") for text in ("How heavy is the Aurora X2?", "and the battery?")
    ]
    assert tasks(endpoint.requests) == ["dialogue", "answer"] * 2
    assert [turn.usage.llm_calls for turn in turns] == [2, 2]


def test_a_repair_is_one_call_more_and_counted(assistant: Assistant, endpoint: LlmServer) -> None:
    left = ["outcome: clear\nThe Aurora X2 weighs 9 kg [spec:aurora-x2].",
            "outcome: clear\nThe Aurora X2 weighs 172 g [spec:aurora-x2]."]  # fmt: skip
    endpoint.answer = lambda _: Script(left.pop(0))
    turn = ask(assistant, "How heavy is the Aurora X2?")
    assert tasks(endpoint.requests) == ["answer", "repair"]
    assert (turn.usage.llm_calls, turn.answered_by, turn.degraded) == (2, "llm", None)
    assert turn.answer == "The Aurora X2 weighs 172 g [1]."
