"""A turn in a thread of its own: whoever asked has an end in time, whatever the turn does.

Nothing can end a thread of Python from outside. So nobody waits for one that takes too long: it is abandoned, ends at
the next place where it asks (`graph.budget`), and what it would still write is thrown away.
"""

import sys
import threading
import time
from collections.abc import Callable, Generator
from queue import Empty, SimpleQueue
from weakref import WeakSet

from graph.budget import TurnAbandonedError, abandoned_when
from graph.state import Piece
from graph.turn import Turn

THREAD_NAME = "footnote-turn"
SWITCH_INTERVAL_S = 5e-4
"""How long one thread keeps the interpreter from the others: with Python's 5 ms, a turn that loops stalls each library
call of the others that long."""


class OverrunError(Exception):
    """The turn's time is over and its thread is abandoned."""


class TurnRun:
    """One turn: running, then either settled or abandoned, whichever comes first."""

    def __init__(self, work: "Callable[[TurnRun], Turn]") -> None:
        """Begin.

        Args:
            work: Runs the turn, hands each piece to `tell` and calls `settle` before it writes anything.
        """
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self._lock = threading.Lock()
        self._settled = self._abandoned = self._finished = self._over = False
        self._said: SimpleQueue[Piece | Turn | BaseException] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(work,), name=THREAD_NAME, daemon=True)
        self._thread.start()

    def tell(self, piece: Piece) -> None:
        """Hand out a piece; one that says so settles the turn.

        Raises:
            TurnAbandonedError: Nobody waits for it.
        """
        if piece.settled:
            self.settle()
        self._said.put(piece)

    def settle(self) -> None:
        """From here on the turn is sure to end soon, and will be waited for.

        Raises:
            TurnAbandonedError: Nobody waits for it.
        """
        with self._lock:
            if self._abandoned:
                raise TurnAbandonedError
            self._settled = True

    def abandon(self) -> bool:
        """Wait for the turn no longer; false where it is settled, and will be recorded."""
        with self._lock:
            self._abandoned = not self._settled
        if self._abandoned and not self._over:
            _ABANDONED.add(self)
        return self._abandoned

    def events(self, seconds: float) -> Generator[Piece | Turn]:
        """The pieces as they come, then the turn.

        Raises:
            OverrunError: It was not settled in so many seconds, and is abandoned.
        """
        end = time.monotonic() + seconds
        while True:
            try:
                said = self._said.get(timeout=max(end - time.monotonic(), 0))
            except Empty:
                if self.abandon():
                    raise OverrunError from None
                said = self._said.get()
            if isinstance(said, BaseException):
                raise said
            yield said
            if isinstance(said, Turn):
                return

    def leave(self) -> bool:
        """Wait no longer than it takes to write a settled turn; false where it has come to nothing."""
        if self.abandon():
            return False
        self._thread.join()
        return self._finished

    @property
    def is_over(self) -> bool:
        """Whether its thread has done all it will do."""
        return self._over

    def _run(self, work: "Callable[[TurnRun], Turn]") -> None:
        try:
            with abandoned_when(lambda: self._abandoned):
                turn = work(self)
            self._finished = self._over = True
            self._said.put(turn)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the turn is waited for
            self._over = True
            self._said.put(error)


_ABANDONED: WeakSet[TurnRun] = WeakSet()


def some_still_run() -> bool:
    """Whether a turn that was abandoned still runs in this process."""
    return any(not run.is_over for run in list(_ABANDONED))
