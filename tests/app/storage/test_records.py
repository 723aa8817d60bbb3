"""The audit keeps turns, sources, gaps, tickets and feedback."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.errors import UnwritableRecordsError
from app.storage.records import Feedback, Records
from graph.draft import Dropped
from graph.turn import Turn
from ingestion.evidence import Evidence

TurnMaker = Callable[..., Turn]


class _Clock:
    def now(self) -> datetime:
        return datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    store = Records(tmp_path / "new" / "records.sqlite", _Clock(), "the tent desk", 10)
    yield store
    store.close()


def test_a_conversation_comes_back_in_order(records: Records, a_turn: TurnMaker) -> None:
    turns = [a_turn(turn_id=f"turn{number}") for number in range(3)]
    for turn in turns:
        records.record(turn, [], [])
    assert records.history("t1") == turns
    assert records.history("another") == []


def test_a_conversation_is_listed_by_its_first_question_latest_first(records: Records, a_turn: TurnMaker) -> None:
    records.record(a_turn(thread_id="old", turn_id="1", query="How heavy is it?"), [], [])
    records.record(a_turn(thread_id="new", turn_id="2", query="Is it waterproof?"), [], [])
    records.record(a_turn(thread_id="old", turn_id="3", query="And its colour?"), [], [])
    assert [(thread.thread_id, thread.title, thread.turns) for thread in records.threads()] == [
        ("old", "How heavy is it?", 2),
        ("new", "Is it waterproof?", 1),
    ]


def test_a_cited_source_comes_back_as_it_was_in_its_generation(
    records: Records, a_turn: TurnMaker, spec: Evidence
) -> None:
    later = replace(spec, text="Weight: 2.0 kg")
    records.record(a_turn(turn_id="1", generation="g1"), [spec], [])
    records.record(a_turn(turn_id="2", generation="g2"), [later], [])
    assert records.source("spec:kestrel-2", "g1") == spec
    assert records.source("spec:kestrel-2", "g2") == later
    assert records.source("spec:kestrel-2", "g3") is None
    assert records.latest_generation("spec:kestrel-2") == "g2"


def kept(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """Rows as whoever opens the file reads them."""
    with closing(sqlite3.connect(folder / "new" / "records.sqlite")) as connection:
        return connection.execute(statement).fetchall()


def test_an_unanswered_question_is_a_gap_of_its_product(tmp_path: Path, records: Records, a_turn: TurnMaker) -> None:
    records.record(a_turn(turn_id="1"), [], [])
    records.record(a_turn(turn_id="2", outcome="no_answer", standalone_query="Is the Kestrel 2 fireproof?"), [], [])
    records.record(a_turn(turn_id="3", outcome="no_answer", standalone_query="Do you rent?", products=[]), [], [])
    gaps = kept(tmp_path, "SELECT question, product_id FROM gaps ORDER BY number DESC")
    assert gaps == [
        ("Do you rent?", None),
        ("Is the Kestrel 2 fireproof?", "kestrel-2"),
    ]


def test_a_part_that_an_answer_leaves_open_is_a_gap_too(tmp_path: Path, records: Records, a_turn: TurnMaker) -> None:
    records.record(a_turn(turn_id="1", missing=["how warm it is"]), [], [])
    records.record(a_turn(turn_id="2", outcome="no_answer", standalone_query="Is it warm?", missing=["warm"]), [], [])
    gaps = kept(tmp_path, "SELECT question, product_id FROM gaps ORDER BY number DESC")
    assert gaps == [
        ("Is it warm?", "kestrel-2"),
        ("how warm it is", "kestrel-2"),
    ]


def test_dropped_sentences_are_kept_with_their_turn_and_why(
    tmp_path: Path, records: Records, a_turn: TurnMaker
) -> None:
    lie = Dropped(text="It is fireproof.", failing=["fireproof"], reasons=["support"], instead="It is canvas.")
    records.record(a_turn(), [], [lie])
    [(turn_id, sentence, verdict)] = kept(tmp_path, "SELECT turn_id, sentence, verdict FROM dropped")
    assert (turn_id, Dropped(text=sentence, **json.loads(verdict))) == ("turn1", lie)


def test_a_conversation_stays_with_who_began_it(records: Records) -> None:
    held = [records.claim("t", owner) for owner in ("ann", "bob", "ann")]
    assert [one is not None for one in held] == [True, False, True]


def test_a_question_that_was_interrupted_is_its_owners_and_says_nothing_personal(records: Records) -> None:
    records.claim("t", "ann")
    with records.answering("turn", "t", "Is it light? I am jane@shop.example"):
        assert records.interrupted("t", "ann") == []
        assert [one.query for one in records.being_answered("t", "ann")] == ["Is it light? I am [e-mail address]"]
        assert records.being_answered("t", "bob") == []
    assert [one.query for one in records.interrupted("t", "ann")] == ["Is it light? I am [e-mail address]"]
    assert records.interrupted("t") == records.interrupted("t", "bob") == []
    assert [[thread.thread_id for thread in records.threads(owner)] for owner in ("ann", "bob")] == [["t"], []]


def test_a_ticket_goes_to_the_team_that_a_rule_names(records: Records) -> None:
    assert records.open_ticket("a bulk order", "summary", "sales").to == "sales"
    assert records.open_ticket("a bulk order", "summary").to == "the tent desk"


def test_a_ticket_goes_to_the_team_under_a_new_number(records: Records) -> None:
    first, second = (records.open_ticket("asked for a person", "summary") for _ in range(2))
    assert first.to == "the tent desk"
    assert first.ticket_id != second.ticket_id


def test_feedback_can_be_changed_and_taken_back(records: Records, a_turn: TurnMaker) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", Feedback("up"))
    records.record_feedback("turn1", Feedback("down", "It is not right", "Mail jane@shop.example"))
    assert records.feedback("t1") == {"turn1": Feedback("down", "It is not right", "Mail [e-mail address]")}
    records.record_feedback("turn1", None)
    assert records.feedback("t1") == {}


def test_a_turn_that_runs_again_takes_the_place_of_what_it_was(
    records: Records, a_turn: TurnMaker, spec: Evidence
) -> None:
    for answer in ("It weighs 2 kg.", "It weighs 1.9 kg."):
        records.record(a_turn(answer=answer), [spec], [Dropped(text="It flies.", reasons=["support"])])
    (row,) = records.audited("t1")
    assert (row.turn.answer, len(row.dropped)) == ("It weighs 1.9 kg.", 1)


def test_a_conversation_can_be_named_and_found_by_what_was_said(records: Records, a_turn: TurnMaker) -> None:
    records.record(a_turn(thread_id="a", turn_id="1", query="How heavy is it?"), [], [])
    records.record(a_turn(thread_id="b", turn_id="2", query="Is it waterproof?", answer="No, not at all."), [], [])
    records.name_thread("a", " Our tent ")
    records.name_thread("b", "stolen", "somebody else")
    assert {thread.thread_id: thread.title for thread in records.threads()} == {
        "a": "Our tent",
        "b": "Is it waterproof?",
    }
    for words, found in (("TENT", ["a"]), ("not at", ["b"]), ("waterproof", ["b"]), ("100%", []), ("", ["b", "a"])):
        assert [thread.thread_id for thread in records.threads(holding=words)] == found
    records.name_thread("a", "")
    assert records.threads()[1].title == "How heavy is it?"


def test_another_process_reads_what_was_written(records: Records, a_turn: TurnMaker, tmp_path: Path) -> None:
    records.record(a_turn(), [], [])
    again = Records(tmp_path / "new" / "records.sqlite", _Clock(), "team", 10)
    assert len(again.history("t1")) == 1
    again.close()


def test_many_threads_may_write_at_once(records: Records, a_turn: TurnMaker) -> None:
    turns = [a_turn(turn_id=f"turn{number}") for number in range(40)]
    workers = [threading.Thread(target=records.record, args=(turn, [], [])) for turn in turns]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert {turn.turn_id for turn in records.history("t1")} == {turn.turn_id for turn in turns}


def test_a_file_that_is_no_database_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    path.write_text("this is no database, but a text that is long enough to be looked at" * 20)
    with pytest.raises(UnwritableRecordsError, match=r"records\.sqlite"):
        Records(path, _Clock(), "team", 10)


def test_a_folder_that_cannot_be_made_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnwritableRecordsError, match="file"):
        Records(tmp_path / "file" / "records.sqlite", _Clock(), "team", 10)


def test_a_source_of_a_version_with_other_fields_still_opens(
    records: Records, a_turn: TurnMaker, spec: Evidence, tmp_path: Path
) -> None:
    records.record(a_turn(), [spec], [])
    with sqlite3.connect(tmp_path / "new" / "records.sqlite") as other:
        other.execute("UPDATE sources SET evidence = json_set(evidence, '$.colour', 'red')")
    other.close()
    assert records.source("spec:kestrel-2", "g1") == spec
