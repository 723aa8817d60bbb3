"""vLLM on the command line: `footnote vllm`, and a model served beside the page."""

import shlex
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import JsonOption, err, out, print_json
from app.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.llm.options import LlmOptions
    from app.llm.vllm import ServerPlan
    from app.settings import Settings

LOG = Path(".footnote/vllm.log")
"""Of the server beside the page."""
STATIC_TOKENS = 700
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

ON_CPU = {"when": "unsure", "first_token_s": "30", "total_s": "60"}
"""Settings for a model on the CPU: it takes seconds, many on a busy machine, which only what is unsure is worth."""

SIGNS = {"passed": "✓", "failed": "✗", "unknown": "?"}


def vllm(
    *,
    model: Annotated[
        str | None,
        typer.Option(help="Model to serve or to check. Default: the setting `llm.model`.", show_default=False),
    ] = None,
    port: Annotated[int, typer.Option(help="Port of the server.", min=1, max=65535)] = 8000,
    max_context: Annotated[
        int | None,
        typer.Option(help="Tokens of prompt and answer. Default: what the settings need.", min=1, show_default=False),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check a running server instead.")] = False,
    base_url: Annotated[
        str | None,
        typer.Option(help="Address to check. Default: the setting `llm.base_url`.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the command that serves a model with vLLM, or check a server that runs."""
    from app.llm.vllm import DEFAULT  # noqa: PLC0415 - heavy
    from app.settings import Settings  # noqa: PLC0415

    settings = Settings.load()
    if check:
        _check(_checked(settings.llm, base_url, model), settings, as_json=as_json)
        return
    plan = _plan(model or settings.llm.model or DEFAULT, max_context or recommended_context(settings), port)
    _print_command(plan, as_json=as_json)


def _plan(model: str, context: int, port: int) -> "ServerPlan":
    """What is served by this name.

    Raises:
        AppError: It is the small writer, and a package that this is made from is not installed.
    """
    from app.llm import writer  # noqa: PLC0415 - heavy, with all below
    from app.llm.vllm import ServerPlan  # noqa: PLC0415
    from app.settings import HOME  # noqa: PLC0415

    if model != writer.NAME:
        return ServerPlan(model, context, port)
    folder = writer.writer_folder(HOME / "models").absolute()
    return ServerPlan(model, min(context, writer.CONTEXT), port, weights=folder)


def needed_context(settings: "Settings") -> int:
    """Tokens that the longest request of usual evidence takes, its answer included."""
    graph = settings.graph
    evidence = graph.evidence_limit * (_chunk_tokens(settings) + HEAD_TOKENS)
    question = ceil(graph.max_query_chars / CHARS_A_TOKEN)
    return STATIC_TOKENS + evidence + question + REST_TOKENS + ANSWERS * settings.llm.max_tokens


def recommended_context(settings: "Settings") -> int:
    """The same with a margin, in whole steps of 4,096."""
    return ceil(needed_context(settings) * MARGIN / STEP) * STEP


def _chunk_tokens(settings: "Settings") -> int:
    """Most tokens of a piece of evidence that is cut."""
    from ingestion.encoder import MAX_TOKENS  # noqa: PLC0415 - heavy

    return min(settings.ingestion.chunk_tokens or MAX_TOKENS, MAX_TOKENS)


def _print_command(plan: "ServerPlan", *, as_json: bool) -> None:
    from app.llm.vllm import CPU_PROGRAM  # noqa: PLC0415 - heavy

    words = plan.command(str(CPU_PROGRAM)) if plan.weights else plan.command()
    if as_json:
        reasons = [{"flag": list(flag), "why": why} for flag, why in plan.flags.items()]
        print_json({"command": words, "flags": reasons, "base_url": plan.base_url, "context": plan.context})
        return
    typer.echo(shlex.join(words))
    console = err()
    for flag, why in plan.flags.items():
        console.print(f"{flag[0]}: {why}", style="dim", soft_wrap=True)
    console.print(
        f"\nThen: export FOOTNOTE_LLM__BASE_URL={plan.base_url} FOOTNOTE_LLM__MODEL={shlex.quote(plan.model)}\n"
        "and:  footnote vllm --check",
        soft_wrap=True,
    )


def _checked(options: "LlmOptions", base_url: str | None, model: str | None) -> "LlmOptions":
    """The options with what the command line says instead.

    Raises:
        SettingsError: There is no address, or none that can be used.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - heavy

    from app.llm.options import LlmOptions  # noqa: PLC0415

    given = {name: value for name, value in (("base_url", base_url), ("model", model)) if value is not None}
    reason = "no address is given"
    try:
        changed = LlmOptions.model_validate({**dict(options), **given})
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
    else:
        if changed.base_url is not None:
            return changed
    message = (
        f"There is nothing to check: {reason}. Use --base-url http://127.0.0.1:8000/v1 and --model, or set "
        "FOOTNOTE_LLM__BASE_URL and FOOTNOTE_LLM__MODEL."
    )
    raise SettingsError(message)


def _check(options: "LlmOptions", settings: "Settings", *, as_json: bool) -> None:
    from app.llm.checks import check_server  # noqa: PLC0415 - heavy

    findings = []
    for finding in check_server(options, needed_context(settings)):
        findings.append(finding)
        if not as_json:
            remedy = f"\n  {finding.remedy}" if finding.remedy else ""
            out().print(f"{SIGNS[finding.status]} {finding.name}: {finding.seen}{remedy}", soft_wrap=True)
    passed = all(finding.status != "failed" for finding in findings)
    if as_json:
        told = [
            {"check": one.name, "status": one.status, "seen": one.seen, "remedy": one.remedy or None}
            for one in findings
        ]
        print_json({"base_url": options.base_url, "model": options.model, "passed": passed, "checks": told})
    if not passed:
        raise typer.Exit(1)


@contextmanager
def model_server(model: str, settings: "Settings") -> "Iterator[Mapping[str, str]]":
    """Serve a model as long as the page runs.

    Yields:
        The environment variables with which the page uses it.

    Raises:
        InputError: None is named.
        AppError: There is nothing to serve it with, or the server did not come up.
    """
    from app.child_server import free_port  # noqa: PLC0415 - heavy
    from app.llm.vllm import FIRST_PORT, required_model, running_server  # noqa: PLC0415
    from app.storage.databases import make_private_file, make_private_folder  # noqa: PLC0415

    plan = _plan(required_model(model), recommended_context(settings), free_port((FIRST_PORT, 0)))
    key = settings.llm.api_key.get_secret_value() if settings.llm.api_key else None
    console = err()

    def tell(line: str) -> None:
        console.print(line, style="dim", soft_wrap=True)

    make_private_folder(LOG.parent)
    make_private_file(LOG)
    console.print(
        f"vLLM is starting with {plan.model}, which takes minutes the first time; its log: {LOG}", soft_wrap=True
    )
    with running_server(plan, LOG, tell, key) as variables:
        console.print(f"{plan.model} is served at {plan.base_url}", soft_wrap=True)
        unset = ON_CPU.keys() - settings.llm.model_fields_set if plan.weights else ()
        yield {**variables, **{f"FOOTNOTE_LLM__{name.upper()}": ON_CPU[name] for name in unset}}
