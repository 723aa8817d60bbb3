"""What turns share: conversations, generations and the embedding model, without races and without waiting."""

import gc
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any
from weakref import WeakSet

import numpy as np
import pytest

import app.wiring
from app.errors import BusyThreadError
from app.settings import Settings
from app.turns import ConversationLocks
from app.wiring import Wiring
from graph.parts import Context
from ingestion.encoder import DEEP_DIMENSIONS, SentenceEncoder
from ingestion.ingest import ingest
from ingestion.knowledge import IndexedKnowledge, open_knowledge

THREADS = 8


def at_once(work: Any, times: int = THREADS) -> None:  # noqa: ANN401 - a function
    """Run in threads that begin together."""
    start = Barrier(times, timeout=60)
    failures: list[BaseException] = []

    def run() -> None:
        try:
            start.wait()
            work()
        except BaseException as error:  # noqa: BLE001 - told by the test
            failures.append(error)

    threads = [Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []


def test_a_conversation_is_held_by_one_at_a_time() -> None:
    locks = ConversationLocks(60)
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(200):
            with locks.alone_in("t"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    at_once(work)
    assert set(most) == {1}


def test_a_conversation_that_nobody_holds_is_forgotten() -> None:
    locks = ConversationLocks(0)
    with locks.alone_in("t"), locks.alone_in("another"):
        with pytest.raises(BusyThreadError), locks.alone_in("t"):
            pass
        with pytest.raises(BusyThreadError), locks.alone_in("t"):
            pass
    with locks.alone_in("t"):
        pass
    assert dict(vars(locks)["_locks"]) == {}


@pytest.fixture
def wiring(tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiring]:
    """The real parts over an index of the test's own, opened as the first of a process is."""
    monkeypatch.setattr(app.wiring, "_OPEN", WeakSet())
    ingest([shop / "products.jsonl"], tmp_path / "index")
    wiring = Wiring(tmp_path / "index", Settings(records=tmp_path / "records.sqlite"))
    yield wiring
    wiring.close()


def change(tmp_path: Path, shop: Path, number: int) -> None:
    """Let another generation answer."""
    changed = (shop / "products.jsonl").read_text(encoding="utf-8").replace("172 g", f"{172 + number} g")
    (tmp_path / "products.jsonl").write_text(changed, encoding="utf-8")
    ingest([tmp_path / "products.jsonl"], tmp_path / "index")


def test_collecting_garbage_walks_no_index_while_turns_run(wiring: Wiring, tmp_path: Path, shop: Path) -> None:
    assert gc.is_tracked(wiring.current)
    assert all(one is not wiring.current for one in gc.get_objects())
    change(tmp_path, shop, 1)
    with wiring.reading() as context:
        assert all(one is not context for one in gc.get_objects())


def weight_is_read(context: Context) -> bool:
    return "172 g" in context.knowledge.evidence(["spec:aurora-x2"])[0].text


def test_a_turn_goes_on_reading_its_generation_after_two_more(wiring: Wiring, tmp_path: Path, shop: Path) -> None:
    with wiring.reading() as first:
        for number in (1, 2):
            change(tmp_path, shop, number)
            with wiring.reading() as other:
                assert not weight_is_read(other)
        assert weight_is_read(first)


def test_a_generation_is_closed_by_its_last_reader_and_at_once_where_nobody_reads_it(
    wiring: Wiring, tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(IndexedKnowledge, "close", lambda knowledge: closed.append(knowledge.generation))
    with wiring.reading() as first:
        change(tmp_path, shop, 1)
        with wiring.reading() as second:
            pass
        assert closed.count(first.knowledge.generation) == 0
    assert closed.count(first.knowledge.generation) == 1
    del closed[:]
    change(tmp_path, shop, 2)
    with wiring.reading():
        assert closed.count(second.knowledge.generation) == 1


def test_no_turn_waits_while_another_opens_a_new_generation(
    wiring: Wiring, tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, go_on, first = Event(), Event(), []

    def slowly(index: Path) -> IndexedKnowledge:
        opening.set()
        assert go_on.wait(60)
        return open_knowledge(index)

    def read() -> None:
        with wiring.reading() as context:
            first.append(weight_is_read(context))

    monkeypatch.setattr(app.wiring, "open_knowledge", slowly)
    change(tmp_path, shop, 1)
    opener = Thread(target=read)
    opener.start()
    assert opening.wait(60)
    with wiring.reading() as meanwhile:
        assert weight_is_read(meanwhile)
    go_on.set()
    opener.join(60)
    assert first == [False]


def test_texts_of_two_turns_are_in_the_model_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2, timeout=60)

    class Session:
        def __init__(self, *_: object, **__: object) -> None:
            """Take what the runtime takes."""

        def run(self, *_: object) -> list[np.ndarray]:
            both.wait()
            return [np.zeros((1, DEEP_DIMENSIONS))]

    monkeypatch.setattr("onnxruntime.InferenceSession", Session)
    encoder = SentenceEncoder()
    at_once(lambda: encoder.encode(["one text"]), 2)


def test_the_model_is_loaded_once_by_many_who_come_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    class Session:
        def __init__(self, *_: object, **__: object) -> None:
            made.append(self)

        def run(self, *_: object) -> list[np.ndarray]:
            return [np.zeros((1, DEEP_DIMENSIONS))]

    monkeypatch.setattr("onnxruntime.InferenceSession", Session)
    encoder = SentenceEncoder()
    at_once(lambda: encoder.encode(["one text"]))
    assert len(made) == 1
