"""What is forgotten leaves no row and no byte; the rest stays."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver

from app.settings import Settings
from app.storage.databases import open_database
from app.storage.records import Feedback, Records
from app.storage.retention import Archive, Forgotten, open_archive, prune
from graph.draft import Dropped
from graph.turn import Turn
from ingestion.evidence import Evidence
from tests.app.command_line import Run
from tests.graph.fakes import StoppedClock

TurnMaker = Callable[..., Turn]
DAY = timedelta(days=1)
START = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(START)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FOOTNOTE_RECORDS", str(tmp_path / "records.sqlite"))
    monkeypatch.setenv("FOOTNOTE_THREADS", str(tmp_path / "threads.sqlite"))
    return Settings.load()


@pytest.fixture
def records(settings: Settings, clock: StoppedClock) -> Iterator[Records]:
    store = Records(settings.records, clock, "team", 10, webhooks=True)
    yield store
    store.close()


@pytest.fixture
def archive(settings: Settings, records: Records) -> Iterator[Archive]:
    assert records is not None
    with open_archive(settings) as opened:
        yield opened


def remember(settings: Settings, thread: str, text: str, count: int = 1) -> None:
    """Keep checkpoints of a conversation."""
    connection = open_database(settings.threads)
    saver = SqliteSaver(connection)
    for _ in range(count):
        checkpoint = {**empty_checkpoint(), "channel_values": {"query": text}}
        saver.put({"configurable": {"thread_id": thread, "checkpoint_ns": ""}}, checkpoint, {}, {})
    connection.close()


def talk(records: Records, turn: Turn, source: Evidence) -> Turn:
    """A turn with all that can belong to one."""
    ticket = records.open_ticket("asked", f"Asked: {turn.query}")
    turn = turn.model_copy(update={"escalation": ticket, "missing": [f"more of {turn.query}"]})
    records.record(turn, [source], [Dropped(text=f"no {turn.query}")])
    records.record_feedback(turn.turn_id, Feedback("down"))
    return turn


def counts(settings: Settings) -> dict[str, int]:
    with sqlite3.connect(settings.records) as connection:
        tables = ("threads", "turns", "tickets", "gaps", "dropped", "feedback", "deliveries", "sources", "citations")
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}  # noqa: S608


def test_a_forgotten_conversation_leaves_nothing_and_others_keep_what_they_share(
    settings: Settings, records: Records, archive: Archive, a_turn: TurnMaker, spec: Evidence
) -> None:
    talk(records, a_turn(thread_id="a", turn_id="1", query="apples"), spec)
    before = counts(settings)
    talk(records, a_turn(thread_id="b", turn_id="2", query="bananas"), replace(spec, text="Weight: 1.9 kg"))
    remember(settings, "b", "bananas", count=3)
    assert archive.forget_threads(["b", "none"]) == Forgotten(
        threads=1, turns=1, tickets=1, gaps=1, dropped=1, feedback=1, deliveries=2, checkpoints=3
    )
    assert counts(settings) == before
    assert records.source("spec:kestrel-2", "g1") is not None
    assert archive.forget_threads(["a"])["sources"] == 1
    assert set(counts(settings).values()) == {0}


def test_not_a_byte_of_it_is_left_in_the_files(
    settings: Settings, records: Records, archive: Archive, a_turn: TurnMaker, spec: Evidence
) -> None:
    told = "my aunt Ermintrude wants it"
    for number in range(30):
        talk(records, a_turn(thread_id="a", turn_id=str(number), query=told), spec)
        remember(settings, "a", told)
    talk(records, a_turn(thread_id="b", turn_id="other", query="bananas"), spec)
    archive.forget_threads(["a"])
    assert archive.overwrite()
    files = [file for file in settings.records.parent.iterdir() if "sqlite" in file.name]
    assert len(files) >= 2
    assert not [file.name for file in files if b"Ermintrude" in file.read_bytes()]
    assert [turn.query for turn in records.history("b")] == ["bananas"]


def test_all_of_an_owner_goes_also_what_was_never_answered(
    settings: Settings, records: Records, archive: Archive, a_turn: TurnMaker, spec: Evidence
) -> None:
    for thread in ("a", "b"):
        records.claim(thread, "ann")
        remember(settings, thread, "hello")
    records.claim("c", "bob")
    talk(records, a_turn(thread_id="a", turn_id="1"), spec)
    talk(records, a_turn(thread_id="c", turn_id="2"), spec)
    gone = archive.forget_owner("ann")
    assert (gone["threads"], gone["turns"], gone["checkpoints"]) == (2, 1, 2)
    assert [thread.thread_id for thread in records.threads("bob")] == ["c"]


def test_what_was_said_before_a_moment_goes_and_what_follows_stays(
    settings: Settings, records: Records, archive: Archive, clock: StoppedClock, a_turn: TurnMaker, spec: Evidence
) -> None:
    for thread in ("ended", "goes-on"):
        talk(records, a_turn(thread_id=thread, turn_id=f"{thread}1"), spec)
    remember(settings, "ended", "old")
    remember(settings, "goes-on", "old")
    clock.moment += 10 * DAY
    talk(records, a_turn(thread_id="goes-on", turn_id="goes-on2"), spec)
    gone = archive.forget_before(START + DAY)
    assert (gone["threads"], gone["turns"], gone["tickets"], gone["checkpoints"]) == (1, 2, 2, 2)
    assert gone["deliveries"] == 4
    assert [turn.turn_id for turn in records.history("goes-on")] == ["goes-on2"]
    assert archive.forget_before(START + DAY) == Forgotten(), "a second time there is nothing left"


def test_a_question_that_was_interrupted_goes_like_one_that_was_answered(
    records: Records, archive: Archive, clock: StoppedClock, a_turn: TurnMaker, spec: Evidence
) -> None:
    for thread in ("named", "old", "asked-again"):
        records.claim(thread, "local")
        with records.answering(f"{thread}1", thread, "Is it heavy?"):
            pass
    assert archive.forget_threads(["named"]) == Forgotten(threads=1, interrupted=1)
    talk(records, a_turn(thread_id="asked-again", turn_id="turn"), spec)
    clock.moment += 10 * DAY
    with records.answering("asked-again2", "asked-again", "Is it light?"):
        pass
    gone = archive.forget_before(START + DAY)
    assert (gone["threads"], gone["turns"], gone["interrupted"]) == (1, 1, 2)
    assert [one.turn_id for one in records.interrupted("asked-again")] == ["asked-again2"]


def test_pruning_follows_the_setting(
    settings: Settings, records: Records, clock: StoppedClock, a_turn: TurnMaker, spec: Evidence
) -> None:
    talk(records, a_turn(), spec)
    clock.moment += 100 * DAY
    prune(settings, clock)
    prune(settings.model_copy(update={"retention_days": 0}), clock)
    assert len(records.history("t1")) == 1
    prune(settings.model_copy(update={"retention_days": 99}), clock)
    assert records.history("t1") == []


def test_pruning_that_cannot_be_done_is_told_and_ends_nothing(
    settings: Settings, clock: StoppedClock, caplog: pytest.LogCaptureFixture
) -> None:
    settings.records.write_bytes(b"no database " * 1_000)
    prune(settings, clock)
    assert "could not be deleted now" in caplog.text


def test_the_command_says_what_went(
    run: Run, settings: Settings, records: Records, a_turn: TurnMaker, spec: Evidence
) -> None:
    talk(records, a_turn(thread_id="a"), spec)
    remember(settings, "a", "x")
    result = run("forget", "--thread", "a", "--json")
    assert json.loads(result.out) == {
        "threads": 1, "turns": 1, "interrupted": 0, "tickets": 1, "gaps": 1, "dropped": 1, "feedback": 1,
        "messages": 0, "deliveries": 2, "sources": 1, "checkpoints": 1, "overwritten": True,
    }  # fmt: skip
    assert "Nothing of that was kept" in run("forget", "--owner", "nobody").out
    assert "Nothing of that was kept" in run("forget", "--all-before", "2026-01-31").out


@pytest.mark.parametrize("words", [[], ["--thread", "a", "--owner", "b"], ["--all-before", "yesterday"]])
def test_what_to_forget_must_be_clear(run: Run, words: list[str]) -> None:
    assert run("forget", *words).status == 2


def test_forgetting_where_nothing_was_kept_makes_no_files(run: Run, tmp_path: Path) -> None:
    assert run("forget", "--thread", "a").status == 0
    assert not (tmp_path / ".footnote").exists()
