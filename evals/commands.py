"""The commands that evaluation adds to the command line: replay, eval and bench."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import JsonOption, QuietOption, complain, out, print_json
from evals.components import component_names

if TYPE_CHECKING:
    from evals.fixtures import Conversation

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index", help="Name or folder of the index to ask; wins over what a fixture says.", show_default=False
    ),
]
OWN_CONVERSATIONS = Path("tests/conversations")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("replay", epilog="Example: footnote replay tests/conversations --index demo")(replay)
    app.command("eval", epilog="Example: footnote eval conversations --data tests/conversations --json")(evaluate)
    bench = typer.Typer(no_args_is_help=True, help="Measure speed.")
    bench.callback()(lambda: None)
    bench.command("turns", epilog="Example: footnote bench turns --index demo --repeat 3")(bench_turns)
    app.add_typer(bench, name="bench")


def replay(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Fixtures (*.conversation.yaml), or folders of them.")
    ],
    *,
    index: IndexOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Hold the conversations of fixtures and check what they expect.

    A conversation that fails shows turn, key, what was expected and what came instead. Exit status: 0 when all
    expectations hold, 1 when one fails, 2 for a fixture that cannot be understood.
    """
    from app.cli.ingest import ingest_with_progress  # noqa: PLC0415 - heavy, with all below
    from evals.replay import replaying  # noqa: PLC0415
    from evals.replay_output import print_conversation, print_summary, status, to_json  # noqa: PLC0415

    fixtures = _fixtures(paths)
    results = []
    with replaying(index, lambda shop, folder: ingest_with_progress([shop], folder, quiet=quiet)) as replayer:
        for file, conversation in fixtures.items():
            results.append(replayer.run(file, conversation))
            if not as_json:
                print_conversation(out(), results[-1], quiet=quiet)
    if as_json:
        print_json(to_json(results))
    else:
        print_summary(out(), results)
    raise typer.Exit(int(any(status(result) == "failed" for result in results)))


def evaluate(
    component: Annotated[
        str, typer.Argument(help=f"What to evaluate: {', '.join(component_names())}.", show_default=False)
    ],
    *,
    data: Annotated[Path, typer.Option(help="The rows to score: a file, or for conversations also a folder.")],
    index: IndexOption = None,
    split: Annotated[str | None, typer.Option(help="Score only the rows with this split.")] = None,
    predictions: Annotated[Path | None, typer.Option(help="Also write one JSON line a row to this file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Score one component on rows, every figure with its 95 % interval. The exit status says nothing of the figures."""
    from evals import components  # noqa: PLC0415 - heavy, with all below
    from evals.report import print_report, write_predictions  # noqa: PLC0415

    evaluation = components.component(component)(components.Request(data, index, split))
    if predictions is not None:
        write_predictions(predictions, evaluation.predictions)
    if as_json:
        print_json(evaluation.report.model_dump(mode="json"))
    else:
        print_report(out(), evaluation.report)


def bench_turns(
    *,
    index: Annotated[str, typer.Option(help="Name or folder of the index to ask.")] = "demo",
    conversations: Annotated[
        Path, typer.Option(help="Fixtures whose questions are asked; expectations are not checked.")
    ] = OWN_CONVERSATIONS,
    repeat: Annotated[int, typer.Option(help="How often they are held, each time by a fresh assistant.", min=1)] = 1,
    as_json: JsonOption = False,
) -> None:
    """Time warm turns, node by node, beside the bare embedding model in the same run."""
    from evals.bench_turns import print_benchmark, time_turns  # noqa: PLC0415 - heavy, with all below
    from evals.replay import replaying  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    result = time_turns(_fixtures([conversations]), lambda: replaying(index), shared_encoder().encode, repeat)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


def _fixtures(paths: list[Path]) -> "dict[Path, Conversation]":
    """Read fixtures; where some are malformed, say so of each and end."""
    from evals.errors import MalformedFixturesError  # noqa: PLC0415 - heavy, with all below
    from evals.fixtures import load_fixtures  # noqa: PLC0415

    try:
        return load_fixtures(paths)
    except MalformedFixturesError as malformed:
        for error in malformed.errors:
            complain(str(error))
        raise typer.Exit(2) from malformed
