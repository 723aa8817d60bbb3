"""The commands that evaluation adds to the command line: replay, eval, report, and the groups bench and train."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from app.cli.console import (
    JsonOption,
    OutOption,
    QuietOption,
    err,
    hand_over,
    out,
    prepare_file,
    print_json,
    showing_progress,
)
from evals.components import component_names
from evals.training import commands as training_commands

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index", help="Name or folder of the index to ask; wins over what a fixture says.", show_default=False
    ),
]


AskedIndexOption = Annotated[str, typer.Option("--index", help="Name or folder of the index to ask.")]
OWN_CONVERSATIONS = Path("tests/conversations")
ConversationsOption = Annotated[Path, typer.Option(help="Fixtures whose questions are asked.")]
ResultT = TypeVar("ResultT", bound="BaseModel")

reports = typer.Typer(no_args_is_help=True, help="Measure what choices rest on, and write it down.")
benches = typer.Typer(no_args_is_help=True, help="Measure speed, memory and cost.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("replay", epilog="Example: footnote replay tests/conversations --index demo")(replay)
    app.command("eval", epilog="Example: footnote eval conversations --data tests/conversations --json")(evaluate)
    app.command("fixture", epilog="Example: footnote fixture 7c9e5a --out my.conversation.yaml")(fixture)
    app.command("rows", epilog="Example: footnote rows rewriting --out reviewed.jsonl")(rows)
    for name, group in {"bench": benches, "train": training_commands.group, "report": reports}.items():
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


def fixture(
    name: Annotated[
        str, typer.Argument(metavar="THREAD", help="A conversation's id, or a turn's.", show_default=False)
    ],
    *,
    index: IndexOption = None,
    out_file: OutOption = None,
) -> None:
    """Write a recorded conversation as a fixture that expects what happened, to be corrected and replayed.

    By a turn's id, the conversation as far as that turn. Of an answer with a thumb down it expects another one.
    """
    from app.cli.audit import recorded  # noqa: PLC0415 - heavy, with all below
    from app.settings import Settings  # noqa: PLC0415
    from evals.conversations.recorded import as_fixture, held  # noqa: PLC0415

    settings = Settings.load()
    rows = held(lambda one: recorded(settings, one), name)
    hand_over(out_file, as_fixture(rows, index or settings.index))


def rows(
    kind: Annotated[Literal["intent", "rewriting", "reader"], typer.Argument(show_default=False)],
    *,
    out_file: OutOption = None,
) -> None:
    """Write what staff have decided on or labelled as rows to learn from, one JSON object a line."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with all below
    from app.storage.databases import open_records  # noqa: PLC0415
    from app.storage.records import SystemClock  # noqa: PLC0415
    from app.storage.staff import StaffRecords  # noqa: PLC0415
    from evals.training.reviewed import as_lines  # noqa: PLC0415

    with closing(open_records(Settings.load().records)) as store:
        hand_over(out_file, as_lines(kind, StaffRecords(store, SystemClock()).reviewed()))


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
    predictions: Annotated[Path | None, typer.Option(help="Also write one JSON line a row to this file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Score one component on rows, every figure with its 95 % interval. The exit status says nothing of the figures."""
    from evals import components  # noqa: PLC0415 - heavy, with all below
    from evals.report import print_report, write_predictions  # noqa: PLC0415
    from evals.rows import Request  # noqa: PLC0415

    evaluation = components.run(component, Request(data, index, split, train, val))
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
    conversations: ConversationsOption = OWN_CONVERSATIONS,
) -> None:
    """Measure where the entropy threshold should lie, by the answers that each threshold leads to."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with all below
    from evals import entropy  # noqa: PLC0415
    from evals.conversations.replay_output import read_fixtures  # noqa: PLC0415

    if out_file is not None:
        prepare_file(out_file)
    options = Settings.load().graph
    hand_over(out_file, entropy.as_markdown(entropy.measure(read_fixtures([conversations]), options), options))


@reports.command("confidence", epilog="Example: footnote report confidence --out docs/confidence.md")
def report_confidence(*, out_file: OutOption = None) -> None:
    """Measure how well confidence is calibrated, on a pack in FOOTNOTE_BENCH and questions about the demo shop."""
    from evals.rows import pack  # noqa: PLC0415 - heavy, with all below
    from evals.training import confidence  # noqa: PLC0415

    pack(confidence.PACK)  # there must be one
    if out_file is not None:
        prepare_file(out_file)
    hand_over(out_file, confidence.as_markdown(confidence.examples("test")))


@reports.command(
    "writers", epilog="Example: footnote report writers --rows ../packs/epqa.jsonl --sample 80 --out docs/llm.md"
)
def report_writers(  # noqa: PLR0913 - a command's options
    *,
    conversations: ConversationsOption = OWN_CONVERSATIONS,
    rows: Annotated[
        list[Path] | None, typer.Option(help="Rows as `footnote eval answers` takes them.", show_default=False)
    ] = None,
    sample: Annotated[int, typer.Option(help="Most turns, and most rows of each file.", min=1)] = 80,
    split: Annotated[str | None, typer.Option(help="Ask only the rows with this split.", show_default=False)] = None,
    at_once: Annotated[int, typer.Option(help="Conversations held, or rows asked, at the same time.", min=1)] = 1,
    way: Annotated[
        Literal["never", "unsure", "always", "plain"] | None,
        typer.Option(help="Ask in this way alone, as where a model takes hours.", show_default=False),
    ] = None,
    lines: Annotated[
        Path | None, typer.Option(help="Also write each turn as one JSON line.", show_default=False)
    ] = None,
    out_file: OutOption = None,
) -> None:
    """Ask the same questions of us, of the served models of settings and variants, and of these by a plain prompt."""
    from evals import writers  # noqa: PLC0415 - heavy, with all below
    from evals.conversations.replay_output import read_fixtures  # noqa: PLC0415
    from evals.metrics.answers import Answerable  # noqa: PLC0415
    from evals.report import write_predictions  # noqa: PLC0415
    from evals.rows import read_rows  # noqa: PLC0415

    for file in filter(None, (lines, out_file)):
        prepare_file(file)
    packs = {file.parent.name: writers.sample_rows(read_rows(file, Answerable, split), sample) for file in rows or ()}
    fixtures = writers.sample(read_fixtures([conversations]), sample)
    chosen = writers.WAYS if way is None else (way,)
    found = writers.measure(fixtures, packs, at_once, lambda what: err().print(what, soft_wrap=True), chosen)
    if lines is not None:
        write_predictions(lines, list(writers.as_lines(found)))
    hand_over(out_file, writers.as_markdown(found, at_once))


@benches.command("turns", epilog="Example: footnote bench turns --index demo --repeat 3")
def bench_turns(
    *,
    index: AskedIndexOption = "demo",
    conversations: ConversationsOption = OWN_CONVERSATIONS,
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


@benches.command("ingest", epilog="Example: footnote bench ingest --repeat 5")
def bench_ingest(
    *,
    repeat: Annotated[int, typer.Option(help="How often both are measured; the best counts.", min=1)] = 3,
    as_json: JsonOption = False,
) -> None:
    """Time a whole ingest into a fresh index beside the bare embedding model over the same texts in the same run."""
    from evals.benches.ingest import measure, print_benchmark  # noqa: PLC0415 - heavy, with all below
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    _show(measure(shared_encoder(), repeat), print_benchmark, as_json=as_json)


@benches.command("hostile", epilog="Example: footnote bench hostile --index demo")
def bench_hostile(*, index: AskedIndexOption = "demo", as_json: JsonOption = False) -> None:
    """Send texts made to break it through a turn and the readers, and compare the CPU time at two lengths."""
    from app.settings import index_path  # noqa: PLC0415 - heavy, with all below
    from evals.benches.hostile import KNOWN, generated, measure, print_benchmark  # noqa: PLC0415

    _show(measure(index_path(index), [*KNOWN, *generated()], err().print), print_benchmark, as_json=as_json)


@benches.command("retrieval", epilog="Example: footnote bench retrieval --chunks 1000000")
def bench_retrieval(
    *,
    chunks: Annotated[int, typer.Option(help="Chunks of the largest index.", min=100)] = 100_000,
    as_json: JsonOption = False,
) -> None:
    """Build indexes of 10,000 chunks and more, ask them, and compare with exact search in the same run."""
    from evals.benches.retrieval import measure, print_benchmark, use_two_cores  # noqa: PLC0415 - heavy

    use_two_cores()
    with showing_progress() as progress:
        result = measure(chunks, progress)
    _show(result, print_benchmark, as_json=as_json)


@benches.command("llm", epilog="Example: footnote bench llm --turns 20 --report docs/llm-cost.md")
def bench_llm(
    *,
    index: AskedIndexOption = "demo",
    turns: Annotated[int, typer.Option(help="Questions, ten a conversation.", min=1)] = 20,
    at_once: Annotated[int, typer.Option(help="Conversations held at the same time.", min=1)] = 1,
    report: Annotated[
        Path | None, typer.Option(help="Write the tables, as Markdown, to this file.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure tokens and times of turns over the served model of the settings, beside the layout that others use."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with all below
    from evals.benches.llm import as_markdown, measure  # noqa: PLC0415

    if report is not None:
        prepare_file(report)
    result = measure(index, Settings.load().llm, turns, at_once, lambda what: err().print(what, soft_wrap=True))
    hand_over(report, as_markdown(result), result.model_dump(mode="json") if as_json else None)


def _show(result: ResultT, print_benchmark: "Callable[[Console, ResultT], None]", *, as_json: bool) -> None:
    """Print a result for programs or for people."""
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_benchmark(out(), result)
