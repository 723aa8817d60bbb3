"""A generation that is open for turns: it is closed when nobody reads it any more."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from graph.parts import Context


class OpenGeneration:
    """The parts of a turn over one generation, and how many turns read them.

    Attributes:
        context: The parts.
    """

    def __init__(self, context: Context, close: Callable[[], None]) -> None:
        """Begin with no readers.

        Args:
            context: The parts.
            close: Releases the generation's files; called once, after `retire` and the last reader.
        """
        self.context = context
        self._close = close
        self._lock = threading.Lock()
        self._readers = 0
        self._retired = False

    @property
    def name(self) -> str:
        """Name of the generation."""
        return self.context.knowledge.generation

    @contextmanager
    def reading(self) -> Iterator[bool]:
        """Keep it open; false where it is retired already, and may be closed."""
        with self._lock:
            entered = not self._retired
            self._readers += entered
        try:
            yield entered
        finally:
            with self._lock:
                self._readers -= entered
                last = entered and self._retired and not self._readers
            if last:
                self._close()

    def retire(self) -> None:
        """Close it, at once or when the last reader has left."""
        with self._lock:
            unread = not self._retired and not self._readers
            self._retired = True
        if unread:
            self._close()
