"""The chat page as a process of its own."""

import errno
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

from app.access.options import LOCALHOST
from app.errors import AppError, InputError

FIRST_PORT, LAST_PORT = 8501, 8599
STARTUP_SECONDS = 60.0
ENDING_SECONDS = 10.0


class PortTakenError(InputError):
    """Another program uses the port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"Port {port} is in use by another program. Choose another one with --port.")


class NoSuchAddressError(InputError):
    """The host is no address of this machine."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is no address of this machine. Give one to --host, such as 127.0.0.1 for this machine alone, "
            "or 0.0.0.0 for all its addresses."
        )


class PageFailedError(AppError):
    """The page's process ended before it could be reached."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"The page did not start (exit status {status}). What it said stands above.")


def serve_page(
    index: Path,
    port: int | None,
    ready: Callable[[str], object],
    settings: Mapping[str, str] | None = None,
    host: str = LOCALHOST,
) -> None:
    """Serve the page over an index until it is interrupted.

    Args:
        index: The index folder.
        port: The port, or None for the first free one.
        ready: Called with the page's address once it answers.
        settings: Environment variables of the page beside our own.
        host: The address it listens on.

    Raises:
        NoSuchAddressError: This machine has no such address.
        PortTakenError: The port, or every port of the usual range, is taken.
        PageFailedError: The page's process failed.
    """
    port = free_port(port, host)
    address = f"http://{_reached_at(host)}:{port}"
    environment = {**os.environ, **(settings or {}), "FOOTNOTE_INDEX": str(index.resolve())}
    process = subprocess.Popen(  # noqa: S603 - our own
        _command(host, port),
        env=environment,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is ours to pass on
    )
    # A process begun in the background ignores Ctrl-C unless told so.
    for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
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
        try:
            process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:  # an abandoned turn still runs in it
            process.kill()
            process.wait()


def _command(host: str, port: int) -> list[str]:
    spec = find_spec("streamlit_app")
    assert spec is not None, "streamlit_app.py is installed with this package"
    assert spec.origin is not None
    where = ["--server.address", host, "--server.port", str(port)]
    # -P: no module is taken from the working folder.
    return [sys.executable, "-P", "-m", "streamlit", "run", spec.origin, *where, "--server.headless=true"]


def _reached_at(host: str) -> str:
    """The name under which this machine reaches an address that it listens on."""
    if host in ("", "0.0.0.0", "::", LOCALHOST):  # noqa: S104 - compared, not listened on
        return "localhost"
    return f"[{host}]" if ":" in host else host


def free_port(wanted: int | None, host: str = LOCALHOST) -> int:
    """The wanted port of an address, or the first free one of the usual range.

    Raises:
        PortTakenError: It is in use, or all are.
        NoSuchAddressError: This machine has no such address.
    """
    for port in [wanted] if wanted else range(FIRST_PORT, LAST_PORT + 1):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except socket.gaierror as error:
                raise NoSuchAddressError(host) from error
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL:
                    raise NoSuchAddressError(host) from error
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
