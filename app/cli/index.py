"""`footnote ingest` and `footnote index`: from a shop's files to an index, what is in it, and back to what was."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.console import (
    IndexOption,
    JsonOption,
    QuietOption,
    err,
    out,
    print_json,
    showing_progress,
    table_of,
    write_file,
)
from ingestion.generations import LOCK_WAIT_SECONDS
from ingestion.readers.notes import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from ingestion.report import IngestReport

SHOWN_ISSUES = 10
WaitOption = Annotated[
    float, typer.Option("--wait", metavar="SECONDS", help="How long to wait for another run on the same index.", min=0)
]
STAGES = {
    "read": "Reading files",
    "embed": "Embedding",
    "statements": "Embedding sentences",
    "write": "Writing the index",
}


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders and files of one shop.")],
    *,
    index: IndexOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let one bad row fail the run.")] = False,
    wait: WaitOption = LOCK_WAIT_SECONDS,
    report: Annotated[Path | None, typer.Option(help="Also write a full report, as JSON, to this file.")] = None,
    quiet: QuietOption = False,
) -> None:
    """Read a shop's files into an index; what has not changed is not done again.

    Tables are products, reviews, questions and facts (.jsonl, .json, .csv, .parquet); articles and manuals are
    documents such as .md, .html, .pdf and .docx. What was indexed before goes on answering until the run has finished.
    """
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy

    folder = index_path(index or Settings.load().index)
    result = ingest_with_progress(paths, folder, strict=strict, quiet=quiet, wait=wait)
    if report is not None:
        write_file(report, f"{result.to_json()}\n".encode())
    if not quiet:
        print_report(result, folder)


def ingest_with_progress(
    paths: list[Path], folder: Path, *, strict: bool = False, quiet: bool = False, wait: float = LOCK_WAIT_SECONDS
) -> "IngestReport":
    """Ingest, showing on standard error how far it is and how fast."""
    from app.knowledge import ingest_shop  # noqa: PLC0415 - heavy, with all below
    from app.settings import HOME, Settings  # noqa: PLC0415
    from app.storage.databases import make_private_folder  # noqa: PLC0415

    if HOME in folder.parents:
        make_private_folder(HOME)
    with showing_progress(STAGES, hidden=quiet) as show:
        return ingest_shop(paths, folder, Settings.load(), strict=strict, progress=show, wait=wait)


def print_report(report: "IngestReport", folder: Path) -> None:
    """What is in the index now, and what was left out."""
    console = out()
    console.print(_counts(report))
    state = "Nothing has changed since the last run" if report.unchanged else f"{report.embedded:,} texts embedded"
    if report.changes.against and not report.unchanged:
        state = f"{report.changes} since the last run, {state}"
    console.print(
        f"\n{report.products:,} products, {sum(report.evidence.values()):,} pieces of evidence in {folder}. "
        f"{state}, {report.seconds:.1f} s.\nGeneration {report.generation}",
        soft_wrap=True,
    )
    _print_problems(report)


def _counts(report: "IngestReport") -> "Table":
    """The evidence by source type and the catalog; beside them what has changed since the generation before."""
    from ingestion.knowledge_file import PRODUCT  # noqa: PLC0415 - heavy

    changes = report.changes
    compared = bool(changes.against) and not report.unchanged
    kinds = {*report.evidence, *changes.added, *changes.changed, *changes.removed} - {PRODUCT}
    rows = []
    for kind in [*sorted(kinds), PRODUCT]:
        count = report.products if kind == PRODUCT else report.evidence.get(kind, 0)
        differing = [counts.get(kind, 0) for counts in (changes.added, changes.changed, changes.removed)]
        rows.append([kind, f"{count:,}", *(f"{one:,}" if one else "" for one in differing if compared)])
    return table_of(("Source type", "Evidence", *(("Added", "Changed", "Removed") if compared else ())), rows)


def _print_problems(report: "IngestReport") -> None:
    console = err()
    for name, issues, style in (("skipped ", report.skipped, "yellow"), ("noted   ", report.notes, "dim")):
        for issue in issues[:SHOWN_ISSUES]:
            console.print(f"{name} {issue}", style=style, soft_wrap=True)
        if len(issues) > SHOWN_ISSUES:
            console.print(f"and {len(issues) - SHOWN_ISSUES:,} more; --report FILE lists them all", style=style)
    for file, reason in islice(report.ignored.items(), SHOWN_ISSUES):
        console.print(f"ignored  {file}: {reason}", style="dim", soft_wrap=True)
    if len(report.ignored) > SHOWN_ISSUES:
        console.print(f"ignored  {len(report.ignored) - SHOWN_ISSUES:,} more files", style="dim")
    for table, columns in report.unknown_columns.items():
        names = one_line(", ".join(columns))
        console.print(f"kept     unknown columns of {table}: {names}", style="dim", soft_wrap=True)


def info(*, index: IndexOption = None, as_json: JsonOption = False) -> None:
    """Show the generations of an index and what the present one holds."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy
    from ingestion.index import index_info  # noqa: PLC0415 - heavy

    facts = index_info(index_path(index or Settings.load().index))
    if as_json:
        print_json(facts)
    else:
        _print_info(out(), facts)


def rollback(
    *,
    index: IndexOption = None,
    to: Annotated[
        str | None, typer.Option(metavar="GENERATION", help="Which one; by default that which answered before.")
    ] = None,
    wait: WaitOption = LOCK_WAIT_SECONDS,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let an earlier generation answer again, at once and for running chats too.

    Nothing is removed: `--to` also goes forward again. The next ingest of other files than those it was made from
    makes a new generation as always, and says what that changes.
    """
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy, with all below
    from ingestion.index import roll_back  # noqa: PLC0415

    folder = index_path(index or Settings.load().index)
    before, now = roll_back(folder, to, wait)
    if as_json:
        print_json({"index": str(folder), "before": before, "generation": now})
    elif not quiet:
        err().print(f"Generation {now} answers now, instead of {before}", soft_wrap=True)


def _print_info(console: "Console", facts: dict[str, Any]) -> None:
    from rich.filesize import decimal  # noqa: PLC0415 - only here

    console.print(f"Index {facts['index']}: {facts['products']:,} products", style="bold", soft_wrap=True)
    for one in facts["history"]:
        console.print(f"  {one['generation']}{'  (answers now)' if one['answers'] else ''}", soft_wrap=True)
        made = f"made {one['made_at']}, {decimal(one['bytes'])}, {_changes(one)}"
        console.print(f"    {made}", style="dim", soft_wrap=True)
    sizes = ", ".join(f"{part} {decimal(size)}" for part, size in facts["bytes"].items())
    console.print(f"Embedding model {facts['model']}\nOn disk: {sizes}\n", soft_wrap=True)
    console.print(table_of(("Source type", "Evidence"), [[kind, f"{n:,}"] for kind, n in facts["evidence"].items()]))


def _changes(generation: dict[str, Any]) -> str:
    from ingestion.report import Changes  # noqa: PLC0415 - heavy

    changes = Changes(**generation["changes"] or {})
    return f"{generation['evidence']:,} pieces of evidence" + (f" ({changes})" if changes.against else "")
