"""One writer at a time: the lock of an index, and who holds it."""

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from ingestion.errors import IndexBusyError

LOCK_WAIT_SECONDS = 60.0
"""How long a run waits for the one before it."""
_LOCK = "writer.lock"
_HOLDER = "writer.json"
_STEP_SECONDS = 0.5

Waiting = Callable[[float, float], None]
"""Called while another run holds the index, with the seconds waited and the most that will be."""


def silent(_waited: float, _most: float) -> None:
    """Show no progress."""


@contextmanager
def writing(index: Path, wait_seconds: float = LOCK_WAIT_SECONDS, waiting: Waiting = silent) -> Iterator[None]:
    """Hold the index for writing; the lock goes with the process that holds it, however that ends.

    Args:
        index: The index folder.
        wait_seconds: How long to wait for another run to finish.
        waiting: Told about the wait, at once and then twice a second.

    Raises:
        IndexBusyError: Another run holds it all that time.
    """
    lock = FileLock(index / _LOCK)
    _acquire(lock, index, wait_seconds, waiting)
    try:
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": _now()}
        (index / _HOLDER).write_text(json.dumps(holder), encoding="utf-8")
        yield
    finally:
        lock.release()


def _acquire(lock: FileLock, index: Path, wait_seconds: float, waiting: Waiting) -> None:
    started = time.monotonic()
    timeout = 0.0
    while True:
        try:
            lock.acquire(timeout=timeout)
        except Timeout:
            waited = time.monotonic() - started
            if waited >= wait_seconds:
                raise IndexBusyError(index, describe_holder(index), wait_seconds) from None
            waiting(waited, wait_seconds)
            timeout = min(_STEP_SECONDS, wait_seconds - waited)
        else:
            return


def describe_holder(index: Path) -> str:
    """Who is writing an index, such as `process 12 on shop-server since 2026-05-01T04:15:00+00:00`."""
    try:
        written = json.loads((index / _HOLDER).read_text(encoding="utf-8"))
        return f"process {written['pid']} on {written['host']} since {written['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
