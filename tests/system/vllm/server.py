"""A vLLM server on the CPU, as a process of its own that tests start, kill and start again."""

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import httpx

from app.llm.vllm import CPU_VARIABLES, ServerPlan

PYTHON = Path(__file__).parents[3] / ".venv-vllm" / "bin" / "python"
"""Of the environment that `make test-system` installs."""
MODEL_NAME = "random"
CONTEXT_TOKENS = 16_384
BLOCK_TOKENS = 32
"""Tokens that are cached or computed together; the least that the CPU takes."""
START_S = 300
STOP_S = 20
POLL_S = 0.1
LOG_LINES = 40


class ServerStartError(RuntimeError):
    """The server did not come up; the message ends with its log."""


class VllmServer:
    """One server with the OpenAI protocol on a free port of this machine, one core, 256 MiB for the key-value cache.

    Args:
        model: Folder with weights and tokenizer.
        log: File that what the server says is added to.
        prefix_caching: Whether the prefix of a prompt that was computed before is kept.
    """

    def __init__(self, model: Path, log: Path, *, prefix_caching: bool = True) -> None:
        self._model = model
        self._log = log
        self._prefix_caching = prefix_caching
        self._port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def root_url(self) -> str:
        """Where health, version and metrics are."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes."""
        return f"{self.root_url}/v1"

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start and wait until requests are taken.

        Raises:
            ServerStartError: It ended, or was not ready in time.
        """
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                self._command(),
                cwd=self._log.parent,
                env={**os.environ, **_environment()},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_S
        while not self._ready():
            if not self.alive or time.monotonic() > deadline:
                why = f"was not ready in {START_S} s" if self.alive else f"ended with status {self._process.poll()}"
                self.kill()
                message = f"the vLLM server {why}; its log ends with\n{self.log_tail()}"
                raise ServerStartError(message)
            time.sleep(POLL_S)

    def stop(self) -> None:
        """End as a person would: requests are given up, memory is handed back."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End at once with everything it started, as a crash would."""
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait(STOP_S)

    def pause(self) -> None:
        """Keep connections open and say nothing, as a hanging server does."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Go on after a pause."""
        self._signal(signal.SIGCONT)

    def restart(self) -> None:
        """Kill and start on the same port, with an empty cache."""
        self.kill()
        self.start()

    def metric(self, name: str, **labels: str) -> float:
        """Sum of a Prometheus metric over its series with these labels; 0 for none."""
        text = httpx.get(f"{self.root_url}/metrics", timeout=10).text
        series = re.findall(rf"^{re.escape(name)}\{{(.*)\}} (\S+)$", text, re.MULTILINE)
        wanted = [f'{key}="{value}"' for key, value in labels.items()]
        return sum(float(value) for found, value in series if all(label in found for label in wanted))

    def log_tail(self) -> str:
        """The last lines that the server said."""
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-LOG_LINES:])

    def _command(self) -> list[str]:
        plan = ServerPlan(MODEL_NAME, CONTEXT_TOKENS, self._port, weights=self._model)
        caching = [] if self._prefix_caching else ["--no-enable-prefix-caching"]
        # What is said last counts; and it is started again too often to be compiled for a few words.
        return [*plan.command(str(PYTHON)), "--kv-cache-memory-bytes", str(256 * 2**20), "--enforce-eager", *caching]

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.root_url}/health", timeout=1).is_success
        except httpx.HTTPError:
            return False

    def _signal(self, number: int) -> None:
        """To the server and all it started, which form a process group."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, number)


def _environment() -> dict[str, str]:
    return {
        **CPU_VARIABLES,
        "OMP_NUM_THREADS": "1",
        # The model then runs in the engine's process: one import of vLLM less, which is a third of the start.
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "VLLM_NO_USAGE_STATS": "1",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
