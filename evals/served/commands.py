"""The command that measures a served model."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import JsonOption, err, out, prepare_file, print_json, write_file
from app.llm.options import LlmOptions

IndexOption = Annotated[str, typer.Option(help="Name or folder of the index to ask.")]
FIRST, SECOND = "the endpoint", "the endpoint to compare with"


def register(bench: typer.Typer) -> None:
    """Add the commands to the group of benches."""
    bench.command("llm", epilog="Example: footnote bench llm --turns 20 --report docs/llm.md")(bench_llm)


def bench_llm(  # noqa: PLR0913 - a command's options
    *,
    index: IndexOption = "demo",
    turns: Annotated[int, typer.Option(help="Questions, ten a conversation.", min=1)] = 20,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            help="What is asked for beside each answer; may be given several times. Default: followups, blurb."
        ),
    ] = None,
    repeat: Annotated[int, typer.Option(help="How often all is done; of times the best counts.", min=1)] = 1,
    compare_url: Annotated[
        str | None,
        typer.Option(
            help="Another endpoint with the same model, such as one without prefix caching.", show_default=False
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write the tables, as Markdown, to this file.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure tokens and times of turns over the served model of the settings, beside the layout that others use."""
    from app.question import known_experiences  # noqa: PLC0415 - heavy, with all below
    from app.settings import Settings  # noqa: PLC0415
    from evals.served.bench import measure  # noqa: PLC0415
    from evals.served.bench_figures import as_markdown  # noqa: PLC0415

    llm = Settings.load().llm
    endpoints = {FIRST: llm}
    if compare_url is not None:
        endpoints[SECOND] = LlmOptions.model_validate({**llm.model_dump(), "base_url": compare_url})
    if report is not None:
        prepare_file(report)
    asked = known_experiences(beside or ["followups", "blurb"])
    result = measure(index, endpoints, turns, asked, repeat, lambda what: err().print(what, soft_wrap=True))
    if report is not None:
        write_file(report, as_markdown(result).encode())
    if as_json:
        print_json(result.model_dump(mode="json"))
    elif report is None:
        out().print(as_markdown(result), soft_wrap=True)
