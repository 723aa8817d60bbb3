"""The audit: every turn, the sources it cited, what was dropped, gaps, tickets and feedback, in one SQLite file."""

import json
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from app.access import LOCAL
from app.errors import UnwritableRecordsError
from app.storage.databases import open_database
from app.storage.masking import masked, without_personal
from graph.draft import Dropped
from graph.live import SNAPSHOT
from graph.parts import Clock
from graph.turn import Escalation, Turn
from ingestion.evidence import Evidence

SCHEMA = Path(__file__).parent / "schema.sql"
Thumb = Literal["up", "down"]

_EVIDENCE = TypeAdapter(Evidence)
"""Reads also what a version with other fields has stored."""


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """One conversation in a list of conversations.

    Attributes:
        title: Its first question.
        updated: ISO time of its latest turn, UTC.
        turns: How many turns it has.
    """

    thread_id: str
    title: str
    updated: str
    turns: int


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A question that was never answered: its process was killed, its turn failed, or whoever asked left.

    Attributes:
        after_turn: The turn of its conversation before it; None for the first.
    """

    turn_id: str
    query: str
    after_turn: str | None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A turn as it was recorded.

    Attributes:
        at: When it was over, UTC.
        turn: The turn, with nothing personal in it.
        sources: What it cited, in full.
        dropped: The sentences that were drafted and not shown.
        thumb: What the user thought of it; None where they did not say.
    """

    at: datetime
    turn: Turn
    sources: tuple[Evidence, ...]
    dropped: tuple[Dropped, ...]
    thumb: Thumb | None


class SystemClock:
    """The machine's own time, by which records are dated unless somebody brings another clock."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)


class Records:
    """The audit store; the graph's `Recorder` and `Desk`. One object serves all threads of a process."""

    def __init__(self, path: Path, clock: Clock, team: str, turn_limit_s: float) -> None:
        """Open or create the file.

        Args:
            path: The file.
            clock: What "now" is.
            team: Who gets tickets that name nobody.
            turn_limit_s: Seconds after which a question without a turn has been interrupted, whoever was answering it.

        Raises:
            UnwritableRecordsError: The folder or file cannot be written, or is no database.
        """
        self._clock, self._team, self._turn_limit = clock, team, timedelta(seconds=turn_limit_s)
        self._lock = threading.Lock()
        self._connection = open_records(path)

    def claim(self, thread_id: str, owner: str) -> bool:
        """Bind a conversation that is nobody's to its owner; False when it is somebody else's."""
        with self._transaction() as connection:
            values = (thread_id, owner, self._clock.now().isoformat())
            connection.execute("INSERT OR IGNORE INTO owners VALUES (?, ?, ?)", values)
            found = connection.execute("SELECT owner FROM owners WHERE thread_id = ?", (thread_id,)).fetchone()
        return bool(found[0] == owner)

    @contextmanager
    def answering(self, turn_id: str, thread_id: str, query: str) -> Iterator[None]:
        """Keep a question, with nothing personal in it, while it is answered; without a turn it was interrupted."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO begun VALUES (?1, ?2, ?3, ?4, "
                "(SELECT turn_id FROM turns WHERE thread_id = ?2 ORDER BY number DESC LIMIT 1), 'answers')",
                (turn_id, thread_id, self._clock.now().isoformat(), masked(query)),
            )
        try:
            yield
        finally:
            with self._transaction() as connection:
                connection.execute("UPDATE begun SET process = NULL WHERE turn_id = ?", (turn_id,))

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Store a turn, the full text of what it cites, and the sentences the verifier dropped."""
        at = self._clock.now().isoformat()
        turn, dropped = without_personal((turn, tuple(dropped)))
        keys = [(name, source) for source in sources for name in _generations(turn, source.evidence_id)]
        with self._transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO owners VALUES (?, ?, ?)", (turn.thread_id, LOCAL, at))
            connection.execute(
                "INSERT OR REPLACE INTO turns (turn_id, thread_id, at, query, outcome, turn) VALUES (?, ?, ?, ?, ?, ?)",
                (turn.turn_id, turn.thread_id, at, turn.query, turn.outcome, turn.model_dump_json()),
            )
            # A live fact's id has another text under each snapshot; the latest row is the one cited last.
            connection.executemany(
                "INSERT OR REPLACE INTO sources VALUES (?, ?, ?)",
                [(name, source.evidence_id, _EVIDENCE.dump_json(source).decode()) for name, source in keys],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO cited VALUES (?, ?, ?)",
                [(turn.turn_id, name, source.evidence_id) for name, source in keys],
            )
            connection.executemany(
                "INSERT INTO dropped (turn_id, sentence, verdict) VALUES (?, ?, ?)",
                [(turn.turn_id, one.text, one.model_dump_json(exclude={"text"})) for one in dropped],
            )
            gaps = [(turn.turn_id, at, question, product_id) for question, product_id in _gaps(turn)]
            connection.executemany("INSERT INTO gaps VALUES (?, ?, ?, ?)", gaps)

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        """Open a ticket for a team, that of the shop where none is named, and say where it went."""
        number = f"T-{uuid.uuid4().hex[:16]}"
        ticket = Escalation(reason=reason, ticket_id=number, to=team or self._team, summary=masked(summary))
        with self._transaction() as connection:
            values = (ticket.ticket_id, self._clock.now().isoformat(), reason, ticket.to, ticket.summary)
            connection.execute("INSERT INTO tickets VALUES (?, ?, ?, ?, ?)", values)
        return ticket

    def record_feedback(self, turn_id: str, thumb: Thumb | None, owner: str = LOCAL) -> None:
        """Keep what the user thought of a turn; None takes it back. Of a turn of somebody else's nothing is kept."""
        with self._transaction() as connection:
            own = "SELECT turn_id FROM turns JOIN owners USING (thread_id) WHERE turn_id = ? AND owner = ?"
            if connection.execute(own, (turn_id, owner)).fetchone() is None:
                return
            connection.execute("DELETE FROM feedback WHERE turn_id = ?", (turn_id,))
            if thumb is not None:
                connection.execute(
                    "INSERT INTO feedback VALUES (?, ?, ?)", (turn_id, self._clock.now().isoformat(), thumb)
                )

    def feedback(self, thread_id: str, owner: str = LOCAL) -> dict[str, Thumb]:
        """What the user thought of a conversation's turns, by turn id; nothing of somebody else's."""
        rows = self._rows(
            "SELECT turn_id, thumb FROM feedback JOIN turns USING (turn_id) JOIN owners USING (thread_id) "
            "WHERE thread_id = ? AND owner = ?",
            thread_id,
            owner,
        )
        return dict(rows)

    def threads(self, owner: str = LOCAL, limit: int = 50) -> list[ThreadSummary]:
        """An owner's conversations, latest first."""
        rows = self._rows(
            "SELECT thread_id, title, latest, turns FROM (SELECT thread_id, "
            "(SELECT query FROM turns first WHERE first.thread_id = turns.thread_id ORDER BY number LIMIT 1) AS title, "
            "max(at) AS latest, count(*) AS turns, max(number) AS number FROM turns GROUP BY thread_id "
            # A conversation whose only question was interrupted is not lost either.
            "UNION ALL SELECT thread_id, query, max(at), 0, 0 FROM begun WHERE (process IS NULL OR at < ?) "
            "AND thread_id NOT IN (SELECT thread_id FROM turns) GROUP BY thread_id) "
            "JOIN owners USING (thread_id) WHERE owner = ? ORDER BY latest DESC, number DESC LIMIT ?",
            self._over_by_now(),
            owner,
            limit,
        )
        return [ThreadSummary(*row) for row in rows]

    def history(self, thread_id: str, owner: str = LOCAL) -> list[Turn]:
        """The turns of a conversation, oldest first; empty when there is none, or it is somebody else's."""
        rows = self._rows(
            "SELECT turn FROM turns JOIN owners USING (thread_id) WHERE thread_id = ? AND owner = ? ORDER BY number",
            thread_id,
            owner,
        )
        return [Turn.model_validate_json(row[0]) for row in rows]

    def audited(self, name: str) -> list[AuditRow]:
        """The rows of a conversation or of one turn, oldest first, whoever held it: for the people of the shop.

        Args:
            name: A thread's id or a turn's.
        """
        turns = self._rows(
            "SELECT at, turn, (SELECT thumb FROM feedback WHERE feedback.turn_id = turns.turn_id) FROM turns "
            "WHERE thread_id = ?1 OR turn_id = ?1 ORDER BY number",
            name,
        )
        return [self._audit_row(*row) for row in turns]

    def _audit_row(self, at: str, turn: str, thumb: Thumb | None) -> AuditRow:
        read = Turn.model_validate_json(turn)
        sources = self._rows(
            "SELECT evidence FROM cited JOIN sources USING (generation, evidence_id) WHERE turn_id = ?", read.turn_id
        )
        dropped = self._rows("SELECT sentence, verdict FROM dropped WHERE turn_id = ? ORDER BY rowid", read.turn_id)
        return AuditRow(
            at=datetime.fromisoformat(at),
            turn=read,
            sources=tuple(_EVIDENCE.validate_json(one) for (one,) in sources),
            dropped=tuple(Dropped.model_validate({"text": text, **json.loads(said or "{}")}) for text, said in dropped),
            thumb=thumb,
        )

    def interrupted(self, thread_id: str, owner: str = LOCAL) -> list[Interrupted]:
        """The questions of a conversation that were never answered, oldest first; none of somebody else's."""
        rows = self._rows(
            "SELECT turn_id, query, after_turn FROM begun JOIN owners USING (thread_id) "
            "WHERE thread_id = ? AND owner = ? AND (process IS NULL OR begun.at < ?) ORDER BY begun.rowid",
            thread_id,
            owner,
            self._over_by_now(),
        )
        return [Interrupted(*row) for row in rows]

    def holds(self, turn_id: str) -> bool:
        """Whether a turn is recorded."""
        return bool(self._rows("SELECT 1 FROM turns WHERE turn_id = ?", turn_id))

    def source(self, evidence_id: str, generation: str, owner: str | None = None) -> Evidence | None:
        """A cited source as it was when it was cited, whatever became of its generation.

        Args:
            evidence_id: As it stands in a citation.
            generation: The citation's generation.
            owner: Whose conversations must cite it; None for anybody's.
        """
        rows = self._rows(
            "SELECT evidence FROM sources WHERE evidence_id = ?1 AND generation = ?2 AND (?3 IS NULL OR EXISTS ("
            "SELECT 1 FROM cited JOIN turns USING (turn_id) JOIN owners USING (thread_id) "
            "WHERE cited.evidence_id = ?1 AND cited.generation = ?2 AND owner = ?3))",
            evidence_id,
            generation,
            owner,
        )
        return _EVIDENCE.validate_json(rows[0][0]) if rows else None

    def latest_generation(self, evidence_id: str) -> str | None:
        """The generation in which an evidence was last cited."""
        rows = self._rows(
            "SELECT generation FROM sources WHERE evidence_id = ? ORDER BY rowid DESC LIMIT 1", evidence_id
        )
        return rows[0][0] if rows else None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _over_by_now(self) -> str:
        """What was asked before this moment is answered by now, or never; a process that was killed cannot say so."""
        return (self._clock.now() - self._turn_limit).isoformat()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connection:
            yield self._connection

    def _rows(self, statement: str, *values: str | int | None) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(statement, values).fetchall()


def open_records(path: Path) -> sqlite3.Connection:
    """Open or create the file, with all its tables.

    Raises:
        UnwritableRecordsError: The folder or file cannot be written, or is no database.
    """
    connection = open_database(path)
    try:
        with connection:
            connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    except sqlite3.Error as error:
        connection.close()
        raise UnwritableRecordsError(path, str(error)) from error
    return connection


def _gaps(turn: Turn) -> list[tuple[str, str | None]]:
    """What a turn leaves unanswered: the whole question, or the parts it names, with the products in question."""
    about: list[str | None] = [product.id for product in turn.products] or [None]
    if turn.outcome == "no_answer":
        return [(turn.standalone_query, product_id) for product_id in about]
    # Which of several products a part is missing for is said in the answer alone.
    return [(part, about[0] if len(about) == 1 else None) for part in turn.missing]


def _generations(turn: Turn, evidence_id: str) -> set[str]:
    """Under which names a turn's citations look an evidence up: the turn's generation, or a snapshot of live facts."""
    return {
        citation.generation if citation.generation.startswith(SNAPSHOT) else turn.generation
        for citation in turn.citations
        if evidence_id == citation.evidence_id or (citation.derived and evidence_id in citation.derived.of)
    }
