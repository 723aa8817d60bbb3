"""The turns of one conversation follow each other: each needs what the one before remembered."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from app.errors import BusyThreadError


class ConversationLocks:
    """A lock for each conversation that somebody holds or waits for, and none for the others.

    Args:
        wait_s: How long the next turn of a conversation waits for the one before.
    """

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    @contextmanager
    def alone_in(self, thread_id: str) -> Iterator[None]:
        """Hold a conversation.

        Raises:
            BusyThreadError: Another turn holds it all the time that is waited.
        """
        lock = self._enter(thread_id)
        try:
            if not lock.acquire(timeout=self._wait_s):
                raise BusyThreadError(thread_id)
            try:
                yield
            finally:
                lock.release()
        finally:
            self._leave(thread_id)

    def _enter(self, thread_id: str) -> threading.Lock:
        """The lock of a conversation, which stands until as many have left as have entered."""
        with self._guard:
            lock, users = self._locks.get(thread_id) or (threading.Lock(), 0)
            self._locks[thread_id] = (lock, users + 1)
            return lock

    def _leave(self, thread_id: str) -> None:
        with self._guard:
            lock, users = self._locks.pop(thread_id)
            if users > 1:
                self._locks[thread_id] = (lock, users - 1)
