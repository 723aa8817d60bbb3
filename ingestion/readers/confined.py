"""Reading foreign formats in a process of its own, with a limit on its memory and its time.

Their libraries are written in C, or build many objects from few bytes. A file that makes them crash, or take more than
their share, costs one line of the report. It is no sandbox: the process runs with the rights of the one that asks.
"""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, Self, TypeVar

from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.notes import Notes
from ingestion.readers.opening import MEBIBYTE

Item = TypeVar("Item")

_SERVE = "from ingestion.readers.confined import serve; serve()"
_PATIENCE = 20
"""Of so many times its seconds, as a clock on the wall tells, a process must get its seconds on a processor."""
_LAST_WORDS_BYTES = 64 * MEBIBYTE
_STATM = Path("/proc/self/statm")
_DATA_PAGES = 5
"""Which number of that file tells the memory that the limit counts."""


class BrokenOffError(Exception):
    """Reading a file was broken off; the message says why and what to do."""


class Confined:
    """A process that reads; it is started when it is first needed, and again when a file has ended it."""

    def __init__(self, limits: ReadingLimits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self._child: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._end()

    def items(self, notes: Notes, read: Callable[..., Iterator[Item]], *arguments: object) -> Iterator[Item]:
        """What a generator function yields, run there.

        Args:
            notes: The function's last argument.
            read: A function of a module.
            arguments: The others.

        Raises:
            BrokenOffError: It took too much time or memory, or ended the process.
            Exception: What the function raises.
        """
        connection = self._connected()
        whole = False
        try:
            connection.send((read, arguments, notes))
            while True:
                kind, value = self._receive(connection)
                if kind == "item":
                    yield value
                    continue
                whole = kind == "end"  # and no more after "last"
                break
        except (EOFError, ConnectionError) as error:
            raise BrokenOffError(self._ended()) from error
        finally:
            # One that was left in the middle, or has lost its memory, answers nothing more.
            if not whole:
                self._end()
        if isinstance(value, BaseException):
            raise value
        notes.take_over(value)

    def _receive(self, connection: Connection) -> tuple[str, Any]:
        if not connection.poll(_PATIENCE * self.limits.seconds):
            raise BrokenOffError(self._too_long())
        kind, value = connection.recv()
        if kind == "memory":
            raise BrokenOffError(self.limits.beyond("memory_mebibytes", "reading it takes much memory"))
        return kind, value

    def _ended(self) -> str:
        """Why the process is gone."""
        assert self._child is not None
        if self._child.wait() == -signal.SIGPROF:
            return self._too_long()
        return "the program that reads it ended; the file may be damaged, save it anew"

    def _too_long(self) -> str:
        return self.limits.beyond("seconds", "reading it takes long", "split it, or save it anew")

    def _connected(self) -> Connection:
        if self._child is not None and self._child.poll() is not None:
            self._end()
        if self._connection is None:
            self._connection, theirs = Pipe()
            with theirs:
                self._child = subprocess.Popen(  # noqa: S603 - our own code
                    # -P: no module is taken from the working folder, which may be that of a stranger's files.
                    [sys.executable, "-P", "-c", _SERVE, str(theirs.fileno()), self.limits.model_dump_json()],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,  # what a library complains of is told by us
                    env={
                        **os.environ,
                        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                        "ARROW_DEFAULT_MEMORY_POOL": "system",  # gives back what it no longer needs
                    },
                    start_new_session=True,  # Ctrl-C is told by this process alone
                )
        return self._connection

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        if self._connection is not None:
            self._connection.close()
        self._child = self._connection = None


def serve() -> None:
    """Run what is asked for until nobody asks any more; the arguments name a socket and the limits."""
    limits = ReadingLimits.model_validate_json(sys.argv[2])
    most = limits.memory_mebibytes * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_DATA, (most, most + _LAST_WORDS_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with Connection(int(sys.argv[1])) as connection:
        try:
            while _answer(connection, limits):
                pass
        except (EOFError, ConnectionError):
            return


def _answer(connection: Connection, limits: ReadingLimits) -> bool:
    """Answer once; whether the process can go on."""
    read, arguments, notes = connection.recv()
    answer: object = notes
    full = False
    try:
        _watch(limits)
        for item in read(*arguments, notes):
            connection.send(("item", item))
            _watch(limits)
    except MemoryError:
        full = True  # told below, where what the error holds is free
    except Exception as error:  # noqa: BLE001 - told there
        answer = error
    if full:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        connection.send(("memory", None))
        return False
    more = _used() < limits.memory_mebibytes * MEBIBYTE / 2
    connection.send(("end" if more else "last", answer))
    return more


def _watch(limits: ReadingLimits) -> None:
    """End after the time on the processor; what else the machine does is not the file's fault."""
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)


def _used() -> int:
    """Bytes that the limit counts; 0 where the system does not tell."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text().split()[_DATA_PAGES]) * resource.getpagesize()
