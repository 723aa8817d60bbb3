"""Files of every version open; what they hold is there."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from app.errors import UnwritableRecordsError
from app.storage.records import Feedback, Records
from app.storage.tables import Table
from graph.draft import Dropped
from graph.turn import Escalation, Review, Turn
from ingestion.evidence import Evidence

TurnMaker = Callable[..., Turn]
BEFORE = Path(__file__).with_name("records_before_migrations.sql")
AT = "2026-06-01T12:00:00+00:00"


class _Clock:
    def now(self) -> datetime:
        return datetime(2026, 6, 2, 12, tzinfo=UTC)


def opened(path: Path) -> Records:
    return Records(path, _Clock(), "the tent desk", 10)


def without_written_facts(file: sqlite3.Connection) -> None:
    for column in ("settled", "settled_by"):
        file.execute(f"ALTER TABLE gaps DROP COLUMN {column}")
    file.execute("DROP TABLE facts")


@pytest.fixture
def older(tmp_path: Path, a_turn: TurnMaker, spec: Evidence) -> Path:
    """A file of before migrations, with one of everything."""
    path = tmp_path / "records.sqlite"
    turn = a_turn(
        turn_id="1",
        missing=["how warm it is"],
        escalation=Escalation(reason="asked", ticket_id="T-1", to="the tent desk", summary="s"),
        review=Review(required=True, issues=["certification (high)"]),
    )
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript(BEFORE.read_text(encoding="utf-8"))
        file.execute("INSERT INTO owners VALUES ('t1', 'ann', ?)", (AT,))
        file.execute(
            "INSERT INTO turns (turn_id, thread_id, at, query, outcome, turn) VALUES ('1', 't1', ?, ?, 'clear', ?)",
            (AT, turn.query, turn.model_dump_json()),
        )
        file.execute("INSERT INTO sources VALUES ('g1', 'spec:kestrel-2', ?)", (json.dumps(asdict(spec)),))
        file.execute("INSERT INTO cited VALUES ('1', 'g1', 'spec:kestrel-2')")
        file.execute("INSERT INTO dropped VALUES ('1', 'It is fireproof.', NULL)")
        file.execute("INSERT INTO gaps VALUES ('1', ?, 'how warm it is', 'kestrel-2')", (AT,))
        file.execute("INSERT INTO tickets VALUES ('T-1', ?, 'asked', 'the tent desk', 's')", (AT,))
        file.execute("INSERT INTO feedback VALUES ('1', ?, 'down')", (AT,))
        file.execute("INSERT INTO begun VALUES ('2', 't1', ?, 'Is it light?', '1', NULL)", (AT,))
    return path


@pytest.fixture
def records(older: Path) -> Iterator[Records]:
    with closing(opened(older)) as store:
        yield store


def test_an_older_file_keeps_everything_it_holds(records: Records, spec: Evidence) -> None:
    [row] = records.audited("t1")
    assert row.turn == records.history("t1", "ann")[0]
    assert row.sources == (spec,)
    assert row.dropped == (Dropped(text="It is fireproof."),)
    assert row.feedback == Feedback("down")
    assert [one.query for one in records.interrupted("t1", "ann")] == ["Is it light?"]
    assert records.source("spec:kestrel-2", "g1", "ann") == spec


def test_tickets_and_reviews_of_before_are_bound_to_their_turns(records: Records, older: Path) -> None:
    records.close()
    with closing(sqlite3.connect(older)) as file:
        assert file.execute("SELECT ticket_id, turn_id FROM tickets").fetchall() == [("T-1", "1")]
        [(issues,)] = file.execute("SELECT issues FROM reviews").fetchall()
        assert json.loads(issues) == ["certification (high)"]
        assert file.execute("SELECT question, intent FROM gaps").fetchall() == [("how warm it is", "product_spec")]
        tables = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')")}
    assert {*Table.metadata.tables, "alembic_version", "sqlite_sequence"} >= tables


def test_migrations_make_exactly_the_tables_that_are_declared(tmp_path: Path) -> None:
    records = opened(tmp_path / "records.sqlite")
    with closing(records), records.store.reading() as session:
        context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []


def test_a_file_of_before_webhooks_keeps_its_tickets_and_gets_an_outbox(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with closing(opened(path)) as records:
        ticket = records.open_ticket("asked", "s")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DROP TABLE deliveries")
        file.execute("ALTER TABLE threads DROP COLUMN variant")
        without_written_facts(file)
        file.execute("UPDATE alembic_version SET version_num = '0001'")
    with closing(Records(path, _Clock(), "the tent desk", 10, webhooks=True)) as records:
        later = records.open_ticket("asked again", "s")
    with closing(sqlite3.connect(path)) as file:
        tickets = {name for (name,) in file.execute("SELECT ticket_id FROM tickets")}
        assert tickets == {ticket.ticket_id, later.ticket_id}
        assert file.execute("SELECT ticket_id FROM deliveries").fetchall() == [(later.ticket_id,)]
        assert file.execute("SELECT version_num FROM alembic_version").fetchall() == [("0005",)]


def test_a_file_of_before_variants_keeps_its_conversations_which_have_none(tmp_path: Path, a_turn: TurnMaker) -> None:
    path, turn = tmp_path / "records.sqlite", a_turn(thread_id="t1")
    with closing(opened(path)) as records:
        records.record(turn, [], [])
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("ALTER TABLE threads DROP COLUMN variant")
        without_written_facts(file)
        file.execute("UPDATE turns SET turn = json_remove(turn, '$.variant')")
        file.execute("UPDATE alembic_version SET version_num = '0002'")
    with closing(opened(path)) as records:
        assert records.history("t1") == [turn]
        held = [records.claim(thread, "local", "wide") for thread in ("t1", "t2")]
        assert [one.variant for one in held if one] == [None, "wide"]


def test_a_gap_that_was_filled_before_it_was_kept_by_what_stays_filled(tmp_path: Path, a_turn: TurnMaker) -> None:
    path = tmp_path / "records.sqlite"
    with closing(opened(path)) as records:
        records.record(a_turn(outcome="no_answer"), [], [])
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE gaps SET settled = ?", (AT,))
        file.execute("ALTER TABLE gaps DROP COLUMN settled_by")
        file.execute("DROP TABLE facts")
        file.execute("UPDATE alembic_version SET version_num = '0004'")
    opened(path).close()
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT settled, settled_by FROM gaps").fetchall() == [(AT, None)]


def test_a_file_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    opened(path).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UnwritableRecordsError, match=r"records\.sqlite"):
        opened(path)
