"""What is kept of conversations, and how it goes: by name, by owner, or all that is old.

Checkpoints go before records, so that a run that is killed leaves what tells the next one what there is to delete.
"""

import logging
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from langgraph.checkpoint.sqlite import SqliteSaver

from app.errors import AppError, UnwritableRecordsError
from app.settings import Settings
from app.storage.databases import open_database
from app.storage.records import open_records
from graph.parts import Clock

BATCH = 100
"""Conversations or turns that are deleted at once, while those who write wait."""

logger = logging.getLogger(__name__)


Forgotten = Counter[str]
"""How many of each kind have been deleted."""
KINDS = ("threads", "turns", "interrupted", "tickets", "gaps", "dropped", "feedback", "sources", "checkpoints")
"""What is counted; of `threads` nothing at all is left."""


class Archive:
    """Everything that is kept of conversations, in both files; whoever answers meanwhile goes on.

    Args:
        records: The records' file.
        threads: The file of what conversations remember.
    """

    def __init__(self, records: sqlite3.Connection, threads: sqlite3.Connection) -> None:
        self._records, self._threads = records, threads
        self._checkpoints = SqliteSaver(threads)
        self._checkpoints.setup()

    def forget_threads(self, thread_ids: Sequence[str]) -> Forgotten:
        """Delete conversations, with everything that belongs to them alone."""
        gone = Forgotten()
        for batch in _batches(list(dict.fromkeys(thread_ids))):
            for thread in batch:
                self._forget_checkpoints(thread, gone)
            marks = _marks(batch)
            turns = self._column(f"SELECT turn_id FROM turns WHERE thread_id IN ({marks})", *batch)  # noqa: S608 - marks
            for some in _batches(turns):
                self._forget_turns(some, gone)
            with self._records as records:
                for kind, table in (("interrupted", "begun"), ("threads", "owners")):
                    gone[kind] += records.execute(f"DELETE FROM {table} WHERE thread_id IN ({marks})", batch).rowcount  # noqa: S608 - ours
        return gone

    def forget_owner(self, owner: str) -> Forgotten:
        """Delete all conversations of an owner."""
        return self.forget_threads(self._column("SELECT thread_id FROM owners WHERE owner = ?", owner))

    def forget_before(self, moment: datetime) -> Forgotten:
        """Delete every turn that was made before a moment, and conversations that have no other."""
        at, gone = moment.astimezone(UTC).isoformat(), Forgotten()
        for thread in self._column("SELECT DISTINCT thread_id FROM turns WHERE at < ?", at):
            self._forget_checkpoints(thread, gone)  # what it remembers may be of the turns that go
            turns = self._column("SELECT turn_id FROM turns WHERE thread_id = ? AND at < ?", thread, at)
            for some in _batches(turns):
                self._forget_turns(some, gone)
        with self._records as records:
            gone["tickets"] += records.execute("DELETE FROM tickets WHERE at < ?", (at,)).rowcount
            gone["interrupted"] += records.execute("DELETE FROM begun WHERE at < ?", (at,)).rowcount
        asked = "SELECT thread_id FROM turns UNION SELECT thread_id FROM begun"
        silent = f"SELECT thread_id FROM owners WHERE at < ? AND thread_id NOT IN ({asked})"  # noqa: S608 - ours
        return gone + self.forget_threads(self._column(silent, at))

    def overwrite(self) -> bool:
        """Let go of the room that the deleted took, so that no byte of it is left in the files.

        Returns:
            Whether that is done; not while somebody else reads or writes all the time.
        """
        try:
            for connection in (self._threads, self._records):
                connection.execute("VACUUM")
            in_the_way = [_emptied(connection) for connection in (self._threads, self._records)]
        except sqlite3.OperationalError:
            return False
        return not any(in_the_way)

    def close(self) -> None:
        """Close both files."""
        self._threads.close()
        self._records.close()

    def _forget_turns(self, turn_ids: list[str], gone: Forgotten) -> None:
        """Delete turns, and the sources that no other turn cites."""
        marks, connection = _marks(turn_ids), self._records
        tickets = f"SELECT json_extract(turn, '$.escalation.ticket_id') FROM turns WHERE turn_id IN ({marks})"  # noqa: S608
        with connection:
            cited = connection.execute(
                f"SELECT DISTINCT generation, evidence_id FROM cited WHERE turn_id IN ({marks})",  # noqa: S608 - marks
                turn_ids,
            ).fetchall()
            theirs = f"DELETE FROM tickets WHERE ticket_id IN ({tickets})"  # noqa: S608 - ours
            gone["tickets"] += connection.execute(theirs, turn_ids).rowcount
            for table in ("cited", "gaps", "dropped", "feedback", "turns"):
                gone[table] += connection.execute(f"DELETE FROM {table} WHERE turn_id IN ({marks})", turn_ids).rowcount  # noqa: S608 - ours
            gone["sources"] += connection.executemany(
                "DELETE FROM sources WHERE generation = ?1 AND evidence_id = ?2 AND NOT EXISTS "
                "(SELECT 1 FROM cited WHERE generation = ?1 AND evidence_id = ?2)",
                cited,
            ).rowcount

    def _forget_checkpoints(self, thread: str, gone: Forgotten) -> None:
        count = self._threads.execute("SELECT count(*) FROM checkpoints WHERE thread_id = ?", (thread,)).fetchone()[0]
        self._checkpoints.delete_thread(thread)
        gone["checkpoints"] += count

    def _column(self, statement: str, *values: str) -> list[str]:
        return [row[0] for row in self._records.execute(statement, values)]


@contextmanager
def open_archive(settings: Settings) -> Iterator[Archive]:
    """Open both files.

    Raises:
        UnwritableRecordsError: One cannot be written, or is no database.
    """
    records = open_records(settings.records)
    try:
        archive = Archive(records, open_database(settings.threads))
    except AppError:
        records.close()
        raise
    try:
        yield archive
    finally:
        archive.close()


def prune(settings: Settings, clock: Clock) -> None:
    """Delete what is older than settings let it become; where that cannot be done now, the log says so."""
    if not settings.retention_days:
        return
    try:
        with open_archive(settings) as archive:
            gone = archive.forget_before(clock.now() - timedelta(days=settings.retention_days))
    except (sqlite3.Error, UnwritableRecordsError) as error:
        logger.warning("What is older than %d days could not be deleted now: %s", settings.retention_days, error)
        return
    if gone.total():
        logger.info("Deleted what was older than %d days: %s", settings.retention_days, dict(gone))


def _batches(values: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(values), BATCH):
        yield list(values[start : start + BATCH])


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))


def _emptied(connection: sqlite3.Connection) -> bool:
    """Write what is in the log of changes to the file and empty it; whether somebody was in the way."""
    return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
