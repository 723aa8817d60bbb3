"""A vLLM server that this application starts, waits for and stops."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from app.errors import AppError
from app.llm.accelerator import has_gpu
from app.llm.serving_command import FIRST_PORT, LOOPBACK, ServerPlan, server_command

PROGRAM = Path(".venv-llm") / "bin" / "vllm"
"""Where `make run-llm` installs it: its torch is another one than ours."""
START_S = 3_600.0
"""Time to fetch and load the weights; the log says how far it is."""
STOP_S = 20.0
POLL_S = 0.1
TELL_S = 15.0
LOG_LINES = 15


class MissingVllmError(AppError):
    """VLLM is not installed."""

    def __init__(self) -> None:
        super().__init__(
            f"vLLM is neither in {PROGRAM} nor on the path. `make run-llm MODEL=...` installs it there, in an "
            "environment of its own, because its torch differs from ours."
        )


class ServerFailedError(AppError):
    """The server ended, or was not ready in time."""

    def __init__(self, why: str, log: Path) -> None:
        gpu = "" if has_gpu() else " No GPU was found on this machine, and vLLM needs one."
        super().__init__(f"The vLLM server {why}.{gpu} Its last lines stand above, all of them in {log}.")


def vllm_program() -> str:
    """Where vLLM is.

    Raises:
        MissingVllmError: Nowhere.
    """
    found = str(PROGRAM.absolute()) if PROGRAM.exists() else shutil.which("vllm")
    if found is None:
        raise MissingVllmError
    return found


def server_port() -> int:
    """The usual port, or a free one where another program has that."""
    for port in (FIRST_PORT, 0):
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((LOOPBACK, port))
            return int(probe.getsockname()[1])
    message = "no port is free"
    raise OSError(message)


@contextmanager
def running_server(
    plan: ServerPlan, log: Path, tell: Callable[[str], object], key: str | None = None
) -> Iterator[Mapping[str, str]]:
    """Start a server, wait until it takes requests, and stop it at the end.

    Args:
        plan: What it serves, and where.
        log: File that what it says is written to, from the start.
        tell: Takes lines for whoever waits.
        key: That it wants from its clients; without one, a key that nobody else knows.

    Yields:
        The environment variables with which this application uses it.

    Raises:
        MissingVllmError: It is not installed.
        ServerFailedError: It ended, or was not ready in time.
    """
    command = server_command(plan, vllm_program())
    key = key or secrets.token_urlsafe(24)
    log.parent.mkdir(parents=True, exist_ok=True)
    # Told to end, this process ends the server as well.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    with log.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - our own command
            command,
            env={**os.environ, "VLLM_API_KEY": key, "VLLM_NO_USAGE_STATS": "1"},
            stdout=said,
            stderr=subprocess.STDOUT,
            # Its workers end with it, and Ctrl-C is ours to pass on.
            start_new_session=True,
        )
    try:
        _wait(process, plan, log, tell)
        yield _settings(plan, key)
    finally:
        _stop(process)
        signal.signal(signal.SIGTERM, before)


def _settings(plan: ServerPlan, key: str) -> Mapping[str, str]:
    unproxied = ",".join(filter(None, (os.environ.get("NO_PROXY"), plan.host)))
    return {
        "FOOTNOTE_LLM__BASE_URL": plan.base_url,
        "FOOTNOTE_LLM__MODEL": plan.model,
        "FOOTNOTE_LLM__API_KEY": key,
        "NO_PROXY": unproxied,
    }


def _wait(process: "subprocess.Popen[bytes]", plan: ServerPlan, log: Path, tell: Callable[[str], object]) -> None:
    """Wait until the server takes requests, and tell now and then what it does."""
    begun = told = time.monotonic()
    while not _is_ready(plan):
        now = time.monotonic()
        if process.poll() is not None:
            _fail(f"ended with status {process.returncode} before it was ready", log)
        if now - begun > START_S:
            _fail(f"was not ready within {START_S:,.0f} s", log)
        if now - told > TELL_S:
            told = now
            tell(f"{now - begun:.0f} s: {_last_lines(log, 1)}")
        time.sleep(POLL_S)


def _is_ready(plan: ServerPlan) -> bool:
    try:
        return httpx.get(f"http://{plan.host}:{plan.port}/health", timeout=1, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _fail(why: str, log: Path) -> None:
    sys.stderr.write(f"{_last_lines(log, LOG_LINES)}\n")
    raise ServerFailedError(why, log)


def _last_lines(log: Path, count: int) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-count:])


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the server and all it started."""
    for ending in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, ending)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)
            return
