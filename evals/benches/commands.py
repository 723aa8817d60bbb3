"""`footnote bench`: speed, memory and cost, beside a reference in the same run."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli.console import JsonOption, QuietOption, err, hand_over, out, prepare_file, print_json, showing_progress
from app.llm.options import LlmOptions

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

group = typer.Typer(no_args_is_help=True, help="Measure speed.")
IndexOption = Annotated[str, typer.Option(help="Name or folder of the index to ask.")]
OWN_CONVERSATIONS = Path("tests/conversations")
RETRIEVAL_FOLDER = Path(".footnote/bench-retrieval")
FIRST, SECOND = "the endpoint", "the endpoint to compare with"

ResultT = TypeVar("ResultT", bound="BaseModel")


@group.command("turns", epilog="Example: footnote bench turns --index demo --repeat 3")
def bench_turns(
    *,
    index: IndexOption = "demo",
    conversations: Annotated[
        Path, typer.Option(help="Fixtures whose questions are asked; expectations are not checked.")
    ] = OWN_CONVERSATIONS,
    repeat: Annotated[int, typer.Option(help="How often they are held, each time by a fresh assistant.", min=1)] = 1,
    as_json: JsonOption = False,
) -> None:
    """Time warm turns, node by node, beside the bare embedding model in the same run."""
    from evals.benches.turns import print_benchmark, time_turns  # noqa: PLC0415 - heavy, with all below
    from evals.conversations.replay import replaying  # noqa: PLC0415
    from evals.conversations.replay_output import read_fixtures  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    result = time_turns(read_fixtures([conversations]), lambda: replaying(index), shared_encoder().encode, repeat)
    _show(result, print_benchmark, as_json=as_json)


@group.command("concurrency", epilog="Example: footnote bench concurrency --index demo")
def bench_concurrency(
    *,
    index: Annotated[
        str | None, typer.Option(help="Name or folder of the index to ask; that of the settings.", show_default=False)
    ] = None,
    users: Annotated[int, typer.Option(help="How many ask at once.", min=2)] = 10,
    rounds: Annotated[int, typer.Option(help="How often they do.", min=1)] = 10,
    as_json: JsonOption = False,
) -> None:
    """Time turns that are asked at once, with and without a slow one among them that waits, loops or embeds."""
    from evals.benches.concurrency import measure, print_benchmark  # noqa: PLC0415 - heavy

    result = measure(index, users, rounds)
    _show(result, print_benchmark, as_json=as_json)


@group.command("ingest", epilog="Example: footnote bench ingest --repeat 5")
def bench_ingest(
    *,
    shop: Annotated[
        list[Path] | None,
        typer.Option(
            help="A shop's folder or file; may be given several times. Default: the demo shop and generated articles.",
            show_default=False,
        ),
    ] = None,
    repeat: Annotated[int, typer.Option(help="How often both are measured; the best counts.", min=1)] = 3,
    as_json: JsonOption = False,
) -> None:
    """Time a whole ingest into a fresh index beside the bare embedding model over the same texts in the same run."""
    from evals.benches.ingest import measure, print_benchmark  # noqa: PLC0415 - heavy, with all below
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    result = measure(shop or [], shared_encoder(), repeat)
    _show(result, print_benchmark, as_json=as_json)


@group.command("hostile", epilog="Example: footnote bench hostile --index demo --strings 200")
def bench_hostile(
    *,
    index: IndexOption = "demo",
    strings: Annotated[int, typer.Option(help="Generated texts beside the known ones; always the same.", min=0)] = 200,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Send texts made to break it through a turn and the readers, and compare the CPU time at two lengths."""
    from app.settings import index_path  # noqa: PLC0415 - heavy, with all below
    from evals.benches.hostile import KNOWN, generated, measure, print_benchmark  # noqa: PLC0415  # noqa: PLC0415

    def tell(what: str) -> None:
        if not quiet:
            err().print(what, soft_wrap=True)

    result = measure(index_path(index), [*KNOWN, *generated(strings)], tell)
    _show(result, print_benchmark, as_json=as_json)


@group.command("retrieval", epilog="Example: footnote bench retrieval --chunks 1000000")
def bench_retrieval(
    *,
    chunks: Annotated[int, typer.Option(help="Chunks of the largest index.", min=100)] = 100_000,
    folder: Annotated[
        Path, typer.Option(help="Where the indexes are built and kept; a build that was killed goes on there.")
    ] = RETRIEVAL_FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Build indexes of 10,000 chunks and more, ask them, and compare with exact search in the same run."""
    from evals.benches.retrieval import measure, print_benchmark, use_two_cores  # noqa: PLC0415 - heavy

    use_two_cores()
    with showing_progress() as progress:
        result = measure(folder, chunks, progress)
    _show(result, print_benchmark, as_json=as_json)


@group.command("llm", epilog="Example: footnote bench llm --turns 20 --report docs/llm.md")
def bench_llm(
    *,
    index: IndexOption = "demo",
    turns: Annotated[int, typer.Option(help="Questions, ten a conversation.", min=1)] = 20,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            help="What is asked for beside each answer; may be given several times. Default: followups, blurb."
        ),
    ] = None,
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
    from evals.benches.llm import as_markdown, measure  # noqa: PLC0415

    llm = Settings.load().llm
    endpoints = {FIRST: llm}
    if compare_url is not None:
        endpoints[SECOND] = LlmOptions.model_validate({**llm.model_dump(), "base_url": compare_url})
    if report is not None:
        prepare_file(report)
    asked = known_experiences(beside or ["followups", "blurb"])
    result = measure(index, endpoints, turns, asked, lambda what: err().print(what, soft_wrap=True))
    hand_over(report, as_markdown(result), result.model_dump(mode="json") if as_json else None)


def _show(result: ResultT, print_benchmark: "Callable[[Console, ResultT], None]", *, as_json: bool) -> None:
    """Print a result for programs or for people."""
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)
