"""What is kept of conversations, and how it goes: by name, by owner, or all that is old.

Checkpoints go before records, so that a run that is killed leaves what tells the next one what there is to delete.
"""

import logging
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from langgraph.checkpoint.sqlite import SqliteSaver
from sqlalchemy import Select, delete, func, select, union
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.errors import AppError, UnwritableRecordsError
from app.settings import Settings
from app.storage.databases import Store, open_database, open_records, vacuum
from app.storage.tables import (
    CitationRow,
    DeliveryRow,
    DroppedRow,
    FeedbackRow,
    GapRow,
    MessageRow,
    QuestionRow,
    SourceRow,
    Table,
    ThreadRow,
    TicketRow,
    TurnRow,
)
from graph.parts import Clock

logger = logging.getLogger(__name__)


Forgotten = Counter[str]
"""How many of each kind have been deleted."""
TABLES: dict[str, type[Table]] = {
    "threads": ThreadRow,
    "turns": TurnRow,
    "interrupted": QuestionRow,
    "tickets": TicketRow,
    "gaps": GapRow,
    "dropped": DroppedRow,
    "feedback": FeedbackRow,
    "messages": MessageRow,
    "deliveries": DeliveryRow,
    "sources": SourceRow,
}
KINDS = (*TABLES, "checkpoints")
"""What is counted; of `threads` nothing at all is left."""


class Archive:
    """Everything that is kept of conversations, in both files; whoever answers meanwhile goes on.

    Args:
        records: The records.
        threads: The file of what conversations remember.
    """

    def __init__(self, records: Store, threads: sqlite3.Connection) -> None:
        self._records, self._threads = records, threads
        self._checkpoints = SqliteSaver(threads)
        self._checkpoints.setup()

    def forget_threads(self, thread_ids: Sequence[str]) -> Forgotten:
        """Delete conversations, with everything that belongs to them alone."""
        with self._forgetting(thread_ids) as (session, gone):
            session.execute(delete(ThreadRow).where(ThreadRow.thread_id.in_(thread_ids)))
        return gone

    def forget_owner(self, owner: str) -> Forgotten:
        """Delete all conversations of an owner."""
        return self.forget_threads(self._found(select(ThreadRow.thread_id).where(ThreadRow.owner == owner)))

    def forget_before(self, moment: datetime) -> Forgotten:
        """Delete every turn that was made before a moment, and conversations that have no other."""
        # What they remember may be of the turns that go.
        with self._forgetting(self._found(select(TurnRow.thread_id).where(TurnRow.at < moment))) as (session, gone):
            for table in (TurnRow, TicketRow, QuestionRow):
                session.execute(delete(table).where(table.at < moment))
        asked = union(select(TurnRow.thread_id), select(QuestionRow.thread_id))
        silent = select(ThreadRow.thread_id).where(ThreadRow.at < moment, ThreadRow.thread_id.not_in(asked))
        return gone + self.forget_threads(self._found(silent))

    def overwrite(self) -> bool:
        """Let go of the room that the deleted took, so that no byte of it is left in the files.

        Returns:
            Whether that is done; not while somebody else reads or writes all the time.
        """
        try:
            return all([vacuum(self._threads), self._records.vacuum()])
        except sqlite3.OperationalError:
            return False

    def close(self) -> None:
        """Close both files."""
        self._threads.close()
        self._records.close()

    @contextmanager
    def _forgetting(self, threads: Sequence[str]) -> Iterator[tuple[Session, Forgotten]]:
        """Delete what conversations remember, then records, and count what went; the tables say which go together."""
        gone = Forgotten()
        for thread in set(threads):
            count = self._threads.execute("SELECT count(*) FROM checkpoints WHERE thread_id = ?", (thread,))
            gone["checkpoints"] += count.fetchone()[0]
            self._checkpoints.delete_thread(thread)
        with self._records.writing() as session:
            before = _sizes(session)
            yield session, gone
            named = (CitationRow.evidence_id == SourceRow.evidence_id, CitationRow.generation == SourceRow.generation)
            session.execute(delete(SourceRow).where(~select(CitationRow.turn_id).where(*named).exists()))
            gone.update(before - _sizes(session))

    def _found(self, names: Select[str]) -> Sequence[str]:
        with self._records.reading() as session:
            return session.scalars(names).all()


def _sizes(session: Session) -> Forgotten:
    counts = {kind: session.scalar(select(func.count()).select_from(table)) for kind, table in TABLES.items()}
    return Forgotten({kind: count or 0 for kind, count in counts.items()})


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
    except (sqlite3.Error, SQLAlchemyError, UnwritableRecordsError) as error:
        logger.warning("What is older than %d days could not be deleted now: %s", settings.retention_days, error)
        return
    if gone.total():
        logger.info("Deleted what was older than %d days: %s", settings.retention_days, dict(gone))
