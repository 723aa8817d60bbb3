"""vLLM: its command, and its server as a child process."""

import json
import os
import secrets
import shutil
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from app.access import LOCALHOST
from app.child_server import ChildServer
from app.errors import AppError, InputError
from app.llm import writer

DEFAULT = "Qwen/Qwen3-8B"
"""What a command prints that names no model."""


def required_model(name: str) -> str:
    """The name of a model to serve.

    Raises:
        InputError: It is blank.
    """
    if not name.strip():
        message = (
            f"No model is named. Say which, such as `make run-llm MODEL={DEFAULT}`; docs/language-models.md lists "
            f"others by size, and any that vLLM serves will do. {writer.NAME} needs no GPU."
        )
        raise InputError(message)
    return name.strip()


DEVICES = Path("/dev")
GPUS = ("nvidia[0-9]*", "kfd", "dxg")
"""Device files: of NVIDIA's driver, of AMD's, and of either under WSL."""


def has_gpu(devices: Path = DEVICES) -> bool:
    """Whether a driver shows a GPU."""
    return any(next(devices.glob(pattern), None) for pattern in GPUS)


def require_gpu(devices: Path = DEVICES) -> None:
    """Refuse a machine without a GPU.

    Raises:
        AppError: There is none to serve a model on.
    """
    if not has_gpu(devices):
        message = (
            "No GPU was found on this machine, and vLLM needs one. Run the model elsewhere (`footnote vllm` prints the "
            "command) and name it with FOOTNOTE_LLM__BASE_URL and FOOTNOTE_LLM__MODEL, or use `make run-llm` without "
            "MODEL, whose small model needs none."
        )
        raise AppError(message)


FIRST_PORT = 8000
STRUCTURED = {"backend": "xgrammar", "disable_any_whitespace": True}
NO_THINKING = {"enable_thinking": False}
CPU_FLAGS: Mapping[tuple[str, ...], str] = {
    ("--block-size", "32"): "prefixes are kept in pieces as small as the CPU takes",
    (
        "--kv-cache-memory-bytes",
        str(2**30),
    ): "1 GiB keeps 23,000 tokens of a small model at least",
    ("--distributed-executor-backend", "uni"): "one process does it all",
}


def cpu_dtype() -> str:
    """The type of numbers in which this processor reads a model fastest.

    One without bfloat16 takes four times as long by it as by float32.
    """
    import torch  # noqa: PLC0415 - heavy

    known = torch.cpu.get_capabilities()
    return "bfloat16" if any(known.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16")) else "float32"


CPU_VARIABLES = {
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) - 1)),
    "VLLM_HOST_IP": LOCALHOST,
    "HF_HUB_OFFLINE": "1",
}
"""Of a server on the CPU: a core is left to whoever asks, as threads that wait for one slow all others down; nothing is
fetched.
"""


def can_compile() -> bool:
    """Whether this machine has what PyTorch compiles a model with: a C++ compiler and the headers of Python."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    return compiler is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """What is to be served, and on how much.

    Attributes:
        model: A name on the hub, or a folder with weights.
        context: Tokens of prompt and answer together.
        port: Where it listens.
        host: The address it listens at.
        weights: Folder of a model that is small enough for the CPU, and is served there; none for one that wants a GPU.
    """

    model: str
    context: int
    port: int = FIRST_PORT
    host: str = LOCALHOST
    weights: Path | None = None

    @property
    def base_url(self) -> str:
        """What a client on the same machine takes."""
        return f"http://{self.host}:{self.port}/v1"

    @property
    def flags(self) -> dict[tuple[str, ...], str]:
        """The words of each flag, in the order they are printed, and why they stand there."""
        alone = self.host == LOCALHOST
        return {
            ("--served-model-name", self.model): "the name that FOOTNOTE_LLM__MODEL says",
            ("--host", self.host): "this machine alone reaches it" if alone else "others reach it: set VLLM_API_KEY",
            ("--port", str(self.port)): "where FOOTNOTE_LLM__BASE_URL points",
            (
                "--max-model-len",
                str(self.context),
            ): "room for the longest prompt and its answer; the rest is for the cache",
            ("--enable-prefix-caching",): "rules and evidence are computed once for all requests of a turn",
            ("--enable-prompt-tokens-details",): "the usage says how many tokens came from that cache",
            ("--enable-tokenizer-info-endpoint",): "its control tokens are known, and kept out of what others wrote",
            (
                "--structured-outputs-config",
                json.dumps(STRUCTURED),
            ): "holds answers to our grammars, without endless blanks",
            ("--generation-config", "vllm"): "sampling is what the requests say, not what the model's authors chose",
            ("--default-chat-template-kwargs", json.dumps(NO_THINKING)): "models that can think aloud answer at once",
            **(self._cpu_flags() if self.weights else {}),
        }

    @staticmethod
    def _cpu_flags() -> dict[tuple[str, ...], str]:
        flags = {("--dtype", cpu_dtype()): "what this processor computes fastest", **CPU_FLAGS}
        if not can_compile():
            flags["--enforce-eager",] = "no C++ compiler was found; with one, answers come faster"
        return flags

    def command(self, program: str = "vllm") -> list[str]:
        """The words of the command."""
        words = chain.from_iterable(self.flags)
        if self.weights:  # the CPU's build has no command of its own
            return [program, "-m", "vllm.entrypoints.openai.api_server", "--model", str(self.weights), *words]
        return [program, "serve", self.model, *words]


PROGRAM = Path(".venv-llm") / "bin" / "vllm"
"""Where `make run-llm` installs it: its torch is another one than ours."""
CPU_PROGRAM = Path(".venv-vllm") / "bin" / "python"
"""The interpreter of the build for the CPU, which `make run-llm` installs for the small model."""
START_S = 3_600.0
"""Time to fetch and load the weights; the log says how far it is."""


def program_of(plan: ServerPlan) -> str:
    """What runs the command of a plan.

    Raises:
        AppError: It is not installed.
    """
    own = CPU_PROGRAM if plan.weights else PROGRAM
    found = str(own.absolute()) if own.exists() else None if plan.weights else shutil.which("vllm")
    if found is None:
        message = (
            f"vLLM is neither in {own} nor on the path. `make run-llm` installs it there, in an environment of its "
            "own, because its torch differs from ours."
        )
        raise AppError(message)
    return found


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
        AppError: It is not installed.
        ServerFailedError: It ended, or was not ready in time.
    """
    key = key or secrets.token_urlsafe(24)
    log.parent.mkdir(parents=True, exist_ok=True)
    server = ChildServer(
        name="The vLLM server",
        command=plan.command(program_of(plan)),
        variables={"VLLM_API_KEY": key, "VLLM_NO_USAGE_STATS": "1", **(CPU_VARIABLES if plan.weights else {})},
        health=f"http://{plan.host}:{plan.port}/health",
        limit_s=START_S,
        log=log,
        hint="" if plan.weights or has_gpu() else " No GPU was found on this machine, and vLLM needs one.",
    )
    with server.running(tell):
        yield {
            "FOOTNOTE_LLM__BASE_URL": plan.base_url,
            "FOOTNOTE_LLM__MODEL": plan.model,
            "FOOTNOTE_LLM__API_KEY": key,
            "NO_PROXY": ",".join(filter(None, (os.environ.get("NO_PROXY"), plan.host))),
        }
