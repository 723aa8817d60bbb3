"""Ten customers at once, and what one slow question among them costs the other nine."""

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import BaseModel
from rich.console import Console

from app.assistant import Assistant
from app.cli.console import table_of
from app.settings import Settings, index_path
from app.storage.databases import open_database
from app.wiring import Wiring
from evals.conversations.replay import scratch_settings
from evals.report import Latency, latency, timed
from graph.discourse import Discourse
from graph.parts import Context, Rewrite, Rewriter
from graph.turn import User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

SLOW = "Please be slow."
"""The question that the slow part recognises."""
QUESTIONS = ("What does the {} cost?", "Is the {} waterproof?", "What do customers say about the {}?")
_BATCH = 128

Hold = Callable[[threading.Event], object]
"""Keeps a turn busy until the event."""


class ConcurrencyBenchmark(BaseModel):
    """Milliseconds of all turns but one.

    Attributes:
        users: Who ask at once.
        rounds: How often they do.
        equal: The one left out asks a question like the others.
        slow: It keeps a turn busy in the way that is named, for as long as the others take.
    """

    users: int
    rounds: int
    equal: Latency
    slow: dict[str, Latency]


def measure(index: str | None, users: int, rounds: int) -> ConcurrencyBenchmark:
    """Let everyone ask at once, again and again, with and without a slow one in turn.

    Args:
        index: Name or folder of the index; that of the settings when absent.
        users: Who ask at once.
        rounds: How often they do.

    Raises:
        SettingsError: The settings cannot be used.
        KnowledgeError: The index cannot be opened.
    """
    equal: list[float] = []
    slow: dict[str, list[float]] = {way: [] for way in WAYS}
    with ExitStack() as opened:
        settings = opened.enter_context(scratch_settings())
        parts = _SlowWiring(index_path(index or settings.index), settings)
        assistant = opened.enter_context(Assistant(parts, open_database(settings.threads)))
        questions = [text.format(one.name) for one in assistant.products.values() for text in QUESTIONS]
        asked = [questions[number % len(questions)] for number in range(users * rounds)]
        for question in dict.fromkeys(asked):  # what is remembered between turns is remembered by all
            assistant.ask(question)
        for at in range(0, len(asked), users):
            first, *others = asked[at : at + users]
            equal += _at_once(assistant, parts, first, others)
            for way, hold in WAYS.items():
                parts.hold = hold
                slow[way] += _at_once(assistant, parts, SLOW, others)
    timed = {way: latency(times) for way, times in slow.items()}
    return ConcurrencyBenchmark(users=users, rounds=rounds, equal=latency(equal), slow=timed)


def print_benchmark(console: Console, result: ConcurrencyBenchmark) -> None:
    """The times as a table."""
    columns = (f"{result.users} at once, of whom one", "p50 ms", "p95 ms", "p95 beside equal")
    rows = []
    for name, timing in {"asks like the others": result.equal, **result.slow}.items():
        change = timing.p95 / result.equal.p95 - 1 if timing.p95 and result.equal.p95 else 0.0
        rows.append((name, f"{timing.p50:.0f}", f"{timing.p95:.0f}", f"{change:+.0%}"))
    console.print(table_of(columns, rows))


def _waits(over: threading.Event) -> None:
    over.wait()


def _loops(over: threading.Event) -> None:
    while not over.is_set():
        sum(number * number for number in range(100))


def _embeds(over: threading.Event) -> None:
    number = 0
    while not over.is_set():
        number += 1
        shared_encoder().encode([f"sentence {number}, {one} of a long review of a phone" for one in range(_BATCH)])


WAYS: Mapping[str, Hold] = {"waits for a backend": _waits, "loops in Python": _loops, "embeds long texts": _embeds}


class _SlowRewriter:
    """Holds the slow question, and rewrites the others."""

    def __init__(self, rewriter: Rewriter, hold: Callable[[], object]) -> None:
        self._rewriter, self._hold = rewriter, hold

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Rewrite a question, the slow one only after all others."""
        if query == SLOW:
            self._hold()
        return self._rewriter.rewrite(query, discourse, user, catalog)


class _SlowWiring(Wiring):
    """The real parts, with a slow one before them."""

    hold: Hold = staticmethod(_waits)

    def __init__(self, index: Path, settings: Settings) -> None:
        super().__init__(index, settings)
        self.over = threading.Event()

    @contextmanager
    def reading(self) -> Iterator[Context]:
        """The parts over the index as it is now."""
        with super().reading() as context:
            over, hold = self.over, self.hold
            yield replace(context, rewriter=_SlowRewriter(context.rewriter, lambda: hold(over)))


def _at_once(assistant: Assistant, parts: _SlowWiring, first: str, others: list[str]) -> list[float]:
    """Milliseconds of the others' turns; the first may last until they are over."""
    parts.over = threading.Event()
    start = threading.Barrier(len(others) + 1)

    def ask(question: str) -> float:
        start.wait()
        return timed(partial(assistant.ask, question))[1]

    with ThreadPoolExecutor(len(others) + 1) as pool:
        pool.submit(ask, first)
        times = list(pool.map(ask, others))
        parts.over.set()
    return times
