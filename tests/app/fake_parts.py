"""An assistant over scripted parts: turns in milliseconds, and each part can be made to wait, to fail or to loop."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

from app.assistant import Assistant
from app.settings import Settings
from app.storage.databases import open_database
from app.storage.records import Records, SystemClock
from graph.draft import Draft, Sentence
from graph.parts import Context, Question
from tests.graph.fakes import answer, make_context, saying, span_of
from tests.graph.shops import camping_shop

SHOP = camping_shop()
SPEC = SHOP.evidence(["spec:tarn-2"])[0]
WEIGHT = saying("The Tarn 2 weighs 1.9 kg.", span_of(SPEC, "Weight: 1.9 kg"), product_id="tarn-2")
ASKED = "How heavy is the Tarn 2?"
STUCK = "How heavy is the Tarn 2, and why is that?"
"""A question on which `Waiting` waits."""


@dataclass
class FakeParts:
    """Parts over no index."""

    records: Records
    current: Context
    turn_limit_s: float = 60.0

    settings: Settings = field(default_factory=Settings)

    def under(self, variant: str | None) -> Context:
        return replace(self.current, variant=variant)

    @contextmanager
    def reading(self, variant: str | None = None) -> Iterator[Context]:
        yield self.under(variant)

    def close(self) -> None:
        self.records.close()


class Waiting:
    """Answers; a stuck question only once it is let go."""

    def __init__(self) -> None:
        self.reached, self.let_go = Event(), Event()

    def draft(self, question: Question) -> Draft:
        if question.query == STUCK:
            self.reached.set()
            self.wait()
        return answer(WEIGHT)

    def probability(self, facts: Sequence[Sentence], question: Question) -> float:
        del facts, question
        return 1.0

    def wait(self) -> None:
        assert self.let_go.wait(60)


class Looping(Waiting):
    """Never gives the processor away by itself."""

    def wait(self) -> None:
        while not self.let_go.is_set():
            pass


class Failing(Waiting):
    """Fails instead."""

    def wait(self) -> None:
        message = "out of order"
        raise RuntimeError(message)


@contextmanager
def scripted(folder: Path, responder: Any = None, **parts: Any) -> Iterator[tuple[Assistant, FakeParts]]:  # noqa: ANN401 - any part
    """An assistant over these parts, with its databases in a folder."""
    folder.mkdir(exist_ok=True)
    records = Records(folder / "records.sqlite", SystemClock(), "the team", 0)
    given = {"responder": responder or Waiting(), "recorder": records, "desk": records, **parts}
    fake = FakeParts(records, replace(make_context(SHOP), **given))
    parts_of_a_turn: Any = fake
    with Assistant(parts_of_a_turn, open_database(folder / "threads.sqlite")) as assistant:
        yield assistant, fake


def is_whole(database: Path) -> bool:
    """Whether SQLite finds no damage."""
    connection = sqlite3.connect(database)
    try:
        return bool(connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
    finally:
        connection.close()
