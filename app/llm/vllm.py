"""vLLM: the models to serve with it, the context that prompts need, its command, and its server as a child process."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from math import ceil
from pathlib import Path

import httpx

from app.errors import AppError, InputError
from app.llm.options import LlmOptions
from graph.options import GraphOptions

DEFAULT = "Qwen/Qwen3-8B"
"""What a command prints that names no model."""


class NoModelError(InputError):
    """No model was named."""

    def __init__(self) -> None:
        super().__init__(
            f"No model is named. Say which, such as `make run-llm MODEL={DEFAULT}`; docs/language-models.md lists "
            "others by size, and any that vLLM serves will do."
        )


def required_model(name: str) -> str:
    """The name of a model to serve.

    Raises:
        NoModelError: It is blank.
    """
    if not name.strip():
        raise NoModelError
    return name.strip()


STATIC_TOKENS = 1_200
"""Most tokens of persona and rules, which every request begins with."""
HEAD_TOKENS = 64
"""Of a piece of evidence, beside its text: marker, kind, title, section."""
REST_TOKENS = 600
"""Of what is known about the customer, the notes of the intents, and the suffix that says what is asked for."""
CHARS_A_TOKEN = 4
"""Of English; the prompts have between 3.4 and 4.6 by a word-piece tokenizer."""
ANSWERS = 2
"""The one that is written, and in the prompt of a repair the draft."""
MARGIN = 1.25
"""For tokenizers that cut finer than the one that evidence is measured with, and reviews, which are never cut."""
STEP = 4_096


def needed_context(graph: GraphOptions, llm: LlmOptions, chunk_tokens: int) -> int:
    """Tokens that the longest request of usual evidence takes, its answer included.

    Args:
        graph: Has the limits on evidence and question.
        llm: Has the limit on the answer.
        chunk_tokens: Most tokens of a piece of evidence that is cut.
    """
    evidence = graph.evidence_limit * (chunk_tokens + HEAD_TOKENS)
    question = ceil(graph.max_query_chars / CHARS_A_TOKEN)
    return STATIC_TOKENS + evidence + question + REST_TOKENS + ANSWERS * llm.max_tokens


def recommended_context(graph: GraphOptions, llm: LlmOptions, chunk_tokens: int) -> int:
    """The same with a margin, in whole steps of 4,096."""
    return ceil(needed_context(graph, llm, chunk_tokens) * MARGIN / STEP) * STEP


DEVICES = Path("/dev")
GPUS = ("nvidia[0-9]*", "kfd", "dxg")
"""Device files: of NVIDIA's driver, of AMD's, and of either under WSL."""


class NoGpuError(AppError):
    """There is no GPU to serve a model on."""

    def __init__(self) -> None:
        super().__init__(
            "No GPU was found on this machine, and vLLM needs one. Run the model elsewhere (`footnote vllm` prints the "
            "command) and name it with FOOTNOTE_LLM__BASE_URL and FOOTNOTE_LLM__MODEL, or use `make run`, which needs "
            "no model."
        )


def has_gpu(devices: Path = DEVICES) -> bool:
    """Whether a driver shows a GPU."""
    return any(next(devices.glob(pattern), None) for pattern in GPUS)


def require_gpu(devices: Path = DEVICES) -> None:
    """Refuse a machine without a GPU.

    Raises:
        NoGpuError: There is none.
    """
    if not has_gpu(devices):
        raise NoGpuError


LOOPBACK = "127.0.0.1"
FIRST_PORT = 8000
STRUCTURED = {"backend": "xgrammar", "disable_any_whitespace": True}
NO_THINKING = {"enable_thinking": False}


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """What is to be served, and on how much.

    Attributes:
        model: A name on the hub, or a folder with weights.
        context: Tokens of prompt and answer together.
        port: Where it listens.
        host: The address it listens at.
        tensor_parallel: GPUs that share one copy of the model.
        replicas: Copies of the model behind the one port.
    """

    model: str
    context: int
    port: int = FIRST_PORT
    host: str = LOOPBACK
    tensor_parallel: int = 1
    replicas: int = 1

    @property
    def base_url(self) -> str:
        """What a client on the same machine takes."""
        return f"http://{self.host}:{self.port}/v1"


@dataclass(frozen=True, slots=True)
class Flag:
    """Words of the command, and why they stand there."""

    words: tuple[str, ...]
    why: str


def recommended_flags(plan: ServerPlan) -> Sequence[Flag]:
    """The flags in the order they are printed."""
    return [
        Flag(("--served-model-name", plan.model), "the name that FOOTNOTE_LLM__MODEL says"),
        Flag(("--host", plan.host), _host_reason(plan.host)),
        Flag(("--port", str(plan.port)), "where FOOTNOTE_LLM__BASE_URL points"),
        Flag(
            ("--max-model-len", str(plan.context)),
            "room for the longest prompt and its answer; more would take memory from the prefix cache",
        ),
        Flag(
            ("--enable-prefix-caching",),
            "what prompts have in common (rules, evidence, question) is computed once for all requests of a turn",
        ),
        Flag(("--enable-prompt-tokens-details",), "the usage says how many tokens came from that cache"),
        Flag(("--enable-tokenizer-info-endpoint",), "its control tokens are known, and kept out of what others wrote"),
        Flag(
            ("--structured-outputs-config", json.dumps(STRUCTURED)),
            "decodes under our grammars; no free white space in JSON, in which a model can run on up to its limit",
        ),
        Flag(("--generation-config", "vllm"), "sampling is what the requests say, not what the model's authors chose"),
        Flag(
            ("--default-chat-template-kwargs", json.dumps(NO_THINKING)),
            "models that can think aloud answer at once; others pass it over",
        ),
        *_parallel_flags(plan),
    ]


def server_command(plan: ServerPlan, program: str = "vllm") -> list[str]:
    """The words of the command."""
    return [program, "serve", plan.model, *chain.from_iterable(flag.words for flag in recommended_flags(plan))]


def _host_reason(host: str) -> str:
    return "this machine alone can reach it" if host == LOOPBACK else "others can reach it: set VLLM_API_KEY"


def _parallel_flags(plan: ServerPlan) -> list[Flag]:
    flags = []
    if plan.tensor_parallel > 1:
        shared = f"one copy of the model is spread over {plan.tensor_parallel} GPUs, for one that does not fit on one"
        flags.append(Flag(("--tensor-parallel-size", str(plan.tensor_parallel)), shared))
    if plan.replicas > 1:
        copies = (
            f"{plan.replicas} copies behind one port, each with a cache of its own; "
            "separate servers behind a prefix-aware router reuse more (docs/language-models.md)"
        )
        flags.append(Flag(("--data-parallel-size", str(plan.replicas)), copies))
    return flags


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
