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

logger = logging.getLogger(__name__)


Forgotten = Counter[str]
"""How many of each kind have been deleted."""
TABLES = {"threads": "owners", "turns": "turns", "interrupted": "begun", "tickets": "tickets", "gaps": "gaps"} | {
    "dropped": "dropped",
    "feedback": "feedback",
    "sources": "sources",
}
KINDS = (*TABLES, "checkpoints")
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
        with self._forgetting(thread_ids) as (records, gone):
            records.executemany("DELETE FROM owners WHERE thread_id = ?", [(thread,) for thread in thread_ids])
        return gone

    def forget_owner(self, owner: str) -> Forgotten:
        """Delete all conversations of an owner."""
        return self.forget_threads(self._column("SELECT thread_id FROM owners WHERE owner = ?", owner))

    def forget_before(self, moment: datetime) -> Forgotten:
        """Delete every turn that was made before a moment, and conversations that have no other."""
        at = moment.astimezone(UTC).isoformat()
        # What they remember may be of the turns that go.
        with self._forgetting(self._column("SELECT thread_id FROM turns WHERE at < ?", at)) as (records, gone):
            for table in ("turns", "tickets", "begun"):
                records.execute(f"DELETE FROM {table} WHERE at < ?", (at,))  # noqa: S608 - our own words, as below
        asked = "SELECT thread_id FROM turns UNION SELECT thread_id FROM begun"
        silent = f"SELECT thread_id FROM owners WHERE at < ? AND thread_id NOT IN ({asked})"  # noqa: S608
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

    @contextmanager
    def _forgetting(self, threads: Sequence[str]) -> Iterator[tuple[sqlite3.Connection, Forgotten]]:
        """Delete what conversations remember, then records, and count what went; the schema says which go together."""
        gone = Forgotten()
        for thread in set(threads):
            count = self._threads.execute("SELECT count(*) FROM checkpoints WHERE thread_id = ?", (thread,))
            gone["checkpoints"] += count.fetchone()[0]
            self._checkpoints.delete_thread(thread)
        with self._records as records:
            records.execute("BEGIN IMMEDIATE")
            before = self._sizes()
            yield records, gone
            gone.update(before - self._sizes())

    def _sizes(self) -> Forgotten:
        count = "SELECT count(*) FROM"
        return Forgotten(
            {kind: self._records.execute(f"{count} {table}").fetchone()[0] for kind, table in TABLES.items()}
        )

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


def _emptied(connection: sqlite3.Connection) -> bool:
    """Write what is in the log of changes to the file and empty it; whether somebody was in the way."""
    return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
