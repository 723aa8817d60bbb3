"""The command that serves a model as this application asks it: `vllm serve` with every flag and its reason."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

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
            "separate servers behind a prefix-aware router reuse more (deploy/llm.md)"
        )
        flags.append(Flag(("--data-parallel-size", str(plan.replicas)), copies))
    return flags
