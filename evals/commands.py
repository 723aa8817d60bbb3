"""The commands that evaluation adds to the command line: replay, eval and bench."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from app.cli.console import JsonOption, QuietOption, complain, err, out, prepare_file, print_json
from app.llm.choices import Refinement, Where
from evals.components import component_names
from evals.confidence import commands as confidence_commands
from evals.request import Request
from evals.served import commands as served_commands
from evals.training import commands as training_commands
from evals.written_report import OutOption, hand_over

if TYPE_CHECKING:
    from evals.conversations.fixtures import Conversation

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index", help="Name or folder of the index to ask; wins over what a fixture says.", show_default=False
    ),
]
Refining = Literal["none", Refinement]
OWN_CONVERSATIONS = Path("tests/conversations")
RETRIEVAL_FOLDER = Path(".footnote/bench-retrieval")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("replay", epilog="Example: footnote replay tests/conversations --index demo")(replay)
    app.command("eval", epilog="Example: footnote eval conversations --data tests/conversations --json")(evaluate)
    bench = typer.Typer(no_args_is_help=True, help="Measure speed.")
    bench.callback()(lambda: None)
    bench.command("turns", epilog="Example: footnote bench turns --index demo --repeat 3")(bench_turns)
    bench.command("retrieval", epilog="Example: footnote bench retrieval --chunks 1000000")(bench_retrieval)
    bench.command("ingest", epilog="Example: footnote bench ingest --repeat 5")(bench_ingest)
    bench.command("catalog", epilog="Example: footnote bench catalog --names 1000000")(bench_catalog)
    bench.command("hostile", epilog="Example: footnote bench hostile --index demo --strings 200")(bench_hostile)
    bench.command("concurrency", epilog="Example: footnote bench concurrency --index demo")(bench_concurrency)
    served_commands.register(bench)
    app.add_typer(bench, name="bench")
    report = typer.Typer(no_args_is_help=True, help="Measure what choices rest on, and write it down.")
    report.callback()(lambda: None)
    report.command("entropy", epilog="Example: footnote report entropy --out docs/entropy.md")(report_entropy)
    train = typer.Typer(no_args_is_help=True, help="Train a part of the assistant again from its data.")
    confidence_commands.register(train, report)
    training_commands.register(train)
    app.add_typer(train, name="train")
    app.add_typer(report, name="report")


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
    from evals.conversations.replay import replaying  # noqa: PLC0415
    from evals.conversations.replay_output import print_conversation, print_summary, status, to_json  # noqa: PLC0415

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

    refinement = None if refine == "none" else refine
    request = Request(data, index, split, train, val, refinement, rewriter, judge)
    evaluation = components.run(component, request)
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
    from evals.benches.turns import print_benchmark, time_turns  # noqa: PLC0415 - heavy, with all below
    from evals.conversations.replay import replaying  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    result = time_turns(_fixtures([conversations]), lambda: replaying(index), shared_encoder().encode, repeat)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


def bench_concurrency(
    *,
    index: IndexOption = None,
    users: Annotated[int, typer.Option(help="How many ask at once.", min=2)] = 10,
    rounds: Annotated[int, typer.Option(help="How often they do.", min=1)] = 10,
    as_json: JsonOption = False,
) -> None:
    """Time turns that are asked at once, with and without a slow one among them that waits, loops or embeds."""
    from evals.benches.concurrency import measure, print_benchmark  # noqa: PLC0415 - heavy

    result = measure(index, users, rounds)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


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
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


def bench_catalog(
    *,
    names: Annotated[int, typer.Option(help="Names of the largest catalog.", min=100)] = 100_000,
    as_json: JsonOption = False,
) -> None:
    """Make catalogs of 10,000 names and more, look names and questions up, beside a plain fuzzy search."""
    from evals.benches.catalog import measure, print_benchmark  # noqa: PLC0415 - heavy

    result = measure(names)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


def bench_hostile(
    *,
    index: Annotated[str, typer.Option(help="Name or folder of the index to ask.")] = "demo",
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
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


def bench_retrieval(
    *,
    chunks: Annotated[int, typer.Option(help="Chunks of the largest index.", min=100)] = 100_000,
    folder: Annotated[
        Path, typer.Option(help="Where the indexes are built and kept; a build that was killed goes on there.")
    ] = RETRIEVAL_FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Build indexes of 10,000 chunks and more, ask them, and compare with exact search in the same run."""
    from evals.benches.progress import showing_progress  # noqa: PLC0415 - heavy, with all below
    from evals.benches.retrieval import measure, print_benchmark, use_two_cores  # noqa: PLC0415

    use_two_cores()
    with showing_progress(err()) as progress:
        result = measure(folder, chunks, progress)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)


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
    from evals.reports import entropy_report  # noqa: PLC0415

    if out_file is not None:
        prepare_file(out_file)
    options = Settings.load().graph
    measured = entropy_report.measure(_fixtures([conversations]), questions, options)
    figures = entropy_report.as_json(measured) if as_json else None
    hand_over(out_file, entropy_report.as_markdown(measured, options), figures)


def _fixtures(paths: list[Path]) -> "dict[Path, Conversation]":
    """Read fixtures; where some are malformed, say so of each and end."""
    from evals.conversations.fixtures import load_fixtures  # noqa: PLC0415 - heavy, with all below
    from evals.errors import MalformedFixturesError  # noqa: PLC0415

    try:
        return load_fixtures(paths)
    except MalformedFixturesError as malformed:
        for error in malformed.errors:
            complain(str(error))
        raise typer.Exit(2) from malformed
