"""The commands that evaluation adds to the command line: replay, eval, report, and the groups bench and train."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.console import JsonOption, OutOption, QuietOption, hand_over, out, prepare_file, print_json
from app.llm.options import Refinement, Where
from evals.benches import commands as bench_commands
from evals.benches.commands import OWN_CONVERSATIONS
from evals.components import component_names
from evals.training import commands as training_commands

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index", help="Name or folder of the index to ask; wins over what a fixture says.", show_default=False
    ),
]
Refining = Literal["none", Refinement]


reports = typer.Typer(no_args_is_help=True, help="Measure what choices rest on, and write it down.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("replay", epilog="Example: footnote replay tests/conversations --index demo")(replay)
    app.command("eval", epilog="Example: footnote eval conversations --data tests/conversations --json")(evaluate)
    for name, group in {"bench": bench_commands.group, "train": training_commands.group, "report": reports}.items():
        app.add_typer(group, name=name)


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
    from app.cli.index import ingest_with_progress  # noqa: PLC0415 - heavy, with all below
    from evals.conversations.replay import replaying  # noqa: PLC0415
    from evals.conversations.replay_output import (  # noqa: PLC0415
        print_conversation,
        print_summary,
        read_fixtures,
        status,
        to_json,
    )

    fixtures = read_fixtures(paths)
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


def evaluate(  # noqa: PLR0913 - a command's options
    component: Annotated[
        str, typer.Argument(help=f"What to evaluate: {', '.join(component_names())}.", show_default=False)
    ],
    *,
    data: Annotated[Path, typer.Option(help="The rows to score: a file, or for conversations also a folder.")],
    index: IndexOption = None,
    split: Annotated[str | None, typer.Option(help="Score only the rows with this split.")] = None,
    train: Annotated[Path | None, typer.Option(help="For intent: fit a fresh model on these rows first.")] = None,
    val: Annotated[Path | None, typer.Option(help="Calibrate the fresh model on these rows.")] = None,
    refine: Annotated[
        Refining, typer.Option(help="For retrieval: what a served model gives to search with beside each question.")
    ] = "none",
    rewriter: Annotated[
        Where, typer.Option(help="For rewriting and routing: who reads each question; llm is the served model.")
    ] = "local",
    judge: Annotated[
        Where, typer.Option(help="For answers: who judges sentences and citations; llm is the served model.")
    ] = "local",
    predictions: Annotated[Path | None, typer.Option(help="Also write one JSON line a row to this file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Score one component on rows, every figure with its 95 % interval. The exit status says nothing of the figures."""
    from evals import components  # noqa: PLC0415 - heavy, with all below
    from evals.report import print_report, write_predictions  # noqa: PLC0415
    from evals.rows import Request  # noqa: PLC0415

    refinement = None if refine == "none" else refine
    request = Request(data, index, split, train, val, refinement, rewriter, judge)
    evaluation = components.run(component, request)
    if predictions is not None:
        write_predictions(predictions, evaluation.predictions)
    if as_json:
        print_json(evaluation.report.model_dump(mode="json"))
    else:
        print_report(out(), evaluation.report)


@reports.command("entropy", epilog="Example: footnote report entropy --out docs/entropy.md")
def report_entropy(
    *,
    out_file: OutOption = None,
    conversations: Annotated[
        Path, typer.Option(help="Fixtures whose turns with known evidence are answered.")
    ] = OWN_CONVERSATIONS,
    questions: Annotated[int, typer.Option(help="Questions made from the demo shop beside them.", min=0)] = 250,
    as_json: JsonOption = False,
) -> None:
    """Measure where the entropy threshold should lie, by the answers that each threshold leads to."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with all below
    from evals import entropy  # noqa: PLC0415
    from evals.conversations.replay_output import read_fixtures  # noqa: PLC0415

    if out_file is not None:
        prepare_file(out_file)
    options = Settings.load().graph
    measured = entropy.measure(read_fixtures([conversations]), questions, options)
    figures = entropy.as_json(measured) if as_json else None
    hand_over(out_file, entropy.as_markdown(measured, options), figures)


@reports.command("confidence", epilog="Example: footnote report confidence --out docs/confidence.md")
def report_confidence(*, out_file: OutOption = None, as_json: JsonOption = False) -> None:
    """Measure how well confidence is calibrated, on a pack in FOOTNOTE_BENCH and questions about the demo shop."""
    from evals.rows import pack  # noqa: PLC0415 - heavy, with all below
    from evals.training import confidence  # noqa: PLC0415

    pack(confidence.PACK)  # there must be one
    if out_file is not None:
        prepare_file(out_file)
    asked = confidence.examples("test")
    hand_over(out_file, confidence.as_markdown(asked), confidence.as_json(asked) if as_json else None)
