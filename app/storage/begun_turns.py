"""Turns that have begun: whatever ends a process, the question that it was answering is not lost."""

import sqlite3
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from app.storage.masking import masked
from graph.parts import Clock

Transaction = Callable[[], AbstractContextManager[sqlite3.Connection]]


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A question that was never answered: its process was killed, its turn failed, or whoever asked left.

    Attributes:
        at: ISO time at which it was asked, UTC.
        after_turn: The turn of its conversation before it; None for the first.
    """

    turn_id: str
    thread_id: str
    at: str
    query: str
    after_turn: str | None


class BegunTurns:
    """The turns that have begun, of all processes that share the records.

    A process holds the lock of a file of its own; the system lets go of it however the process ends.
    """

    def __init__(self, records: Path, transaction: Transaction, clock: Clock) -> None:
        """Take the lock of this process.

        Args:
            records: The database, which has the table.
            transaction: Begins a transaction on it.
            clock: What "now" is.
        """
        self._transaction, self._clock = transaction, clock
        self._records = records
        self._process = uuid.uuid4().hex
        self._alive = self._lock(self._process)
        self._alive.acquire()

    def begin(self, turn_id: str, thread_id: str, query: str) -> None:
        """Keep a question, with nothing personal in it, before it is answered."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO begun VALUES (?, ?, ?, ?, "
                "(SELECT turn_id FROM turns WHERE thread_id = ? ORDER BY number DESC LIMIT 1), ?)",
                (turn_id, thread_id, self._clock.now().isoformat(), masked(query), thread_id, self._process),
            )

    def interrupt(self, turn_id: str) -> None:
        """A turn will not be finished."""
        with self._transaction() as connection:
            connection.execute("UPDATE begun SET process = NULL WHERE turn_id = ?", (turn_id,))

    def left_behind(self) -> list[Interrupted]:
        """The turns of processes that are no longer alive."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT process, turn_id, thread_id, at, query, after_turn FROM begun WHERE process IS NOT NULL"
            ).fetchall()
        dead = {process for process in {row[0] for row in rows} if not self._is_alive(process)}
        return [Interrupted(*row[1:]) for row in rows if row[0] in dead]

    def close(self) -> None:
        """This process answers nothing any more."""
        with self._transaction() as connection:
            connection.execute("UPDATE begun SET process = NULL WHERE process = ?", (self._process,))
        self._alive.release()
        with suppress(OSError):
            Path(self._alive.lock_file).unlink(missing_ok=True)

    def _lock(self, process: str) -> FileLock:
        # What one thread opens, another may close.
        file = self._records.with_name(f"{self._records.name}.{process}.alive")
        return FileLock(file, thread_local=False, mode=0o600)

    def _is_alive(self, process: str) -> bool:
        if process == self._process:
            return True
        lock = self._lock(process)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
        return False
