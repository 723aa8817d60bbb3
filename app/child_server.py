"""Servers that run as long as this process does: the chat page, and vLLM beside it."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from app.access import LOCALHOST
from app.errors import AppError, InputError

ENDING_S = 10.0
POLL_S = 0.1
TELL_S = 15.0
LOG_LINES = 15


class ServerFailedError(AppError):
    """The server ended, or was not ready in time."""


def free_port(ports: Iterable[int], host: str = LOCALHOST) -> int:
    """The first free port among some of an address; 0 stands for any.

    Raises:
        InputError: All are in use, or this machine has no such address.
    """
    port = 0
    for port in ports:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                    msg = (
                        f"{host} is no address of this machine. Give one to --host, such as 127.0.0.1 for this "
                        "machine alone, or 0.0.0.0 for all its addresses."
                    )
                    raise InputError(msg) from error
                continue
            return int(probe.getsockname()[1])
    msg = f"Port {port} is in use by another program. Choose another one with --port."
    raise InputError(msg)


@dataclass(frozen=True, slots=True)
class ChildServer:
    """A server, and how to tell that it is ready.

    Attributes:
        name: What it is called in messages.
        command: Its words.
        variables: Environment variables beside our own.
        health: Address that answers once it takes requests.
        limit_s: Seconds it may take until then.
        log: File that all it says is written to, from the start; without one its errors are seen.
        hint: A sentence, after a space, for whoever reads that it failed.
    """

    name: str
    command: Sequence[str]
    variables: Mapping[str, str]
    health: str
    limit_s: float
    log: Path | None = None
    hint: str = ""

    @contextmanager
    def running(self, tell: Callable[[str], object] = print) -> "Iterator[subprocess.Popen[bytes]]":
        """Start it, wait until it takes requests, and end it with all it started.

        Args:
            tell: Takes lines for whoever waits; there are none without a log.

        Raises:
            ServerFailedError: It ended, or was not ready in time.
        """
        with ExitStack() as exits:
            said = exits.enter_context(self.log.open("wb")) if self.log else None
            # Told to end, this process ends the server as well; one begun in the background would ignore Ctrl-C.
            for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                exits.callback(signal.signal, ending, signal.signal(ending, signal.default_int_handler))
            process = subprocess.Popen(  # noqa: S603 - our own command
                self.command,
                env={**os.environ, **self.variables},
                stdout=said or subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # its workers end with it, and Ctrl-C is ours to pass on
            )
            exits.callback(_end, process)
            self._wait(process, tell)
            yield process

    def _wait(self, process: "subprocess.Popen[bytes]", tell: Callable[[str], object]) -> None:
        """Wait until the server takes requests, and tell now and then what it does."""
        begun = told = time.monotonic()
        while not self._is_ready():
            now = time.monotonic()
            if process.poll() is not None:
                self._fail(f"ended with status {process.returncode} before it was ready")
            if now - begun > self.limit_s:
                self._fail(f"was not ready within {self.limit_s:,.0f} s")
            if self.log and now - told > TELL_S:
                told = now
                tell(f"{now - begun:.0f} s: {_last_lines(self.log, 1)}")
            time.sleep(POLL_S)

    def _is_ready(self) -> bool:
        import httpx  # noqa: PLC0415 - heavy

        try:
            return httpx.get(self.health, timeout=1, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def _fail(self, why: str) -> None:
        where = "What it said stands above."
        if self.log:
            sys.stderr.write(f"{_last_lines(self.log, LOG_LINES)}\n")
            where = f"Its last lines stand above, all of them in {self.log}."
        message = f"{self.name} {why}.{self.hint} {where}"
        raise ServerFailedError(message)


def _last_lines(log: Path, count: int) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-count:])


def _end(process: "subprocess.Popen[bytes]") -> None:
    for ending in (signal.SIGTERM, signal.SIGKILL):  # the second where an abandoned turn still runs in it
        with suppress(ProcessLookupError):
            os.killpg(process.pid, ending)
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDING_S)
            return
