"""`footnote ingest`: from a shop's files to an index."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import IndexOption, QuietOption, err, out, write_file

if TYPE_CHECKING:
    from rich.progress import Task

    from ingestion.ingest import Progress
    from ingestion.report import IngestReport

SHOWN_ISSUES = 10
STAGES = {"read": "Reading files", "embed": "Embedding", "write": "Writing the index"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ingest", epilog="Example: footnote ingest ./my-shop ./manuals --index my-shop --report report.json")(
        ingest
    )


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders and files of one shop.")],
    *,
    index: IndexOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let one bad row fail the run.")] = False,
    report: Annotated[Path | None, typer.Option(help="Also write a full report, as JSON, to this file.")] = None,
    quiet: QuietOption = False,
) -> None:
    """Read a shop's files into an index; what has not changed is not done again.

    Tables are products, reviews, questions and facts (.jsonl, .json, .csv, .parquet); articles and manuals are
    .md, .html, .txt, .pdf and .docx files. What was indexed before goes on answering until the run has finished.
    """
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy

    folder = index_path(index or Settings.load().index)
    result = ingest_with_progress(paths, folder, strict=strict, quiet=quiet)
    if report is not None:
        write_file(report, f"{result.to_json()}\n".encode())
    if not quiet:
        print_report(result, folder)


def ingest_with_progress(
    paths: list[Path], folder: Path, *, strict: bool = False, quiet: bool = False
) -> "IngestReport":
    """Ingest, showing on standard error how far it is and how fast."""
    from ingestion.ingest import ingest as run  # noqa: PLC0415 - heavy

    if quiet:
        return run(paths, folder, strict=strict)
    with _progress() as progress:
        return run(paths, folder, strict=strict, progress=progress)


@contextmanager
def _progress() -> "Iterator[Progress]":
    from rich.progress import (  # noqa: PLC0415 - only with a progress bar
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text  # noqa: PLC0415

    class Rate(ProgressColumn):
        """How many are done in a second."""

        def render(self, task: "Task") -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed else "", style="dim")

    tasks: dict[str, TaskID] = {}
    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeElapsedColumn())
    with Progress(*columns, console=err()) as bars:

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(STAGES.get(stage, stage.capitalize()), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show


def print_report(report: "IngestReport", folder: Path) -> None:
    """What is in the index now, and what was left out."""
    from rich.table import Table  # noqa: PLC0415 - only here

    console = out()
    table = Table("Source type", "Evidence", box=None, padding=(0, 2, 0, 0))
    table.columns[1].justify = "right"
    for source_type, count in sorted(report.evidence.items()):
        table.add_row(source_type, f"{count:,}")
    console.print(table)
    state = "Nothing has changed since the last run" if report.unchanged else f"{report.embedded:,} texts embedded"
    console.print(
        f"\n{report.products:,} products, {sum(report.evidence.values()):,} pieces of evidence in {folder}. "
        f"{state}, {report.seconds:.1f} s.\nGeneration {report.generation}",
        soft_wrap=True,
    )
    _print_problems(report)


def _print_problems(report: "IngestReport") -> None:
    console = err()
    for issue in report.skipped[:SHOWN_ISSUES]:
        console.print(f"skipped  {issue}", style="yellow", soft_wrap=True)
    if len(report.skipped) > SHOWN_ISSUES:
        rest = len(report.skipped) - SHOWN_ISSUES
        console.print(f"and {rest:,} more; --report FILE lists them all", style="yellow")
    for file, reason in report.ignored.items():
        console.print(f"ignored  {file}: {reason}", style="dim", soft_wrap=True)
    for table, columns in report.unknown_columns.items():
        names = ", ".join(columns)
        console.print(f"kept     unknown columns of {table}: {names}", style="dim", soft_wrap=True)
