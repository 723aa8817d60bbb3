"""The chat page as a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from app.errors import AppError, InputError

FIRST_PORT, LAST_PORT = 8501, 8599
STARTUP_SECONDS = 60.0


class PortTakenError(InputError):
    """Another program uses the port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"Port {port} is in use by another program. Choose another one with --port.")


class PageFailedError(AppError):
    """The page's process ended before it could be reached."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"The page did not start (exit status {status}). What it said stands above.")


def serve_page(
    index: Path, port: int | None, ready: Callable[[str], object], settings: Mapping[str, str] | None = None
) -> None:
    """Serve the page over an index until it is interrupted.

    Args:
        index: The index folder.
        port: The port, or None for the first free one.
        ready: Called with the page's address once it answers.
        settings: Environment variables of the page beside our own.

    Raises:
        PortTakenError: The port, or every port of the usual range, is taken.
        PageFailedError: The page's process failed.
    """
    port = free_port(port)
    address = f"http://localhost:{port}"
    environment = {**os.environ, **(settings or {}), "FOOTNOTE_INDEX": str(index.resolve())}
    process = subprocess.Popen(_command(port), env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
    for ending in (signal.SIGTERM, signal.SIGINT):  # a process begun in the background ignores Ctrl-C unless told so
        signal.signal(ending, signal.default_int_handler)  # whoever ends this process ends the page's as well
    try:
        _wait(process, address)
        ready(address)
        if process.wait() > 0:
            raise PageFailedError(process.returncode)
    except KeyboardInterrupt:
        pass
    finally:
        process.terminate()
        process.wait()


def _command(port: int) -> list[str]:
    spec = find_spec("streamlit_app")
    assert spec is not None, "streamlit_app.py is installed with this package"
    assert spec.origin is not None
    return [sys.executable, "-m", "streamlit", "run", spec.origin, "--server.port", str(port), "--server.headless=true"]


def free_port(wanted: int | None) -> int:
    """The wanted port, or the first free one of the usual range.

    Raises:
        PortTakenError: It is in use, or all are.
    """
    for port in [wanted] if wanted else range(FIRST_PORT, LAST_PORT + 1):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError:
                continue
            return port
    raise PortTakenError(wanted or FIRST_PORT)


def _wait(process: "subprocess.Popen[bytes]", address: str) -> None:
    """Wait until the page answers."""
    deadline = time.monotonic() + STARTUP_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):  # noqa: S310 - our own address
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise PageFailedError(process.poll())
