"""`footnote index`: what is in an index, and going back to what was."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.console import IndexOption, JsonOption, QuietOption, err, out, print_json
from app.cli.ingest import WaitOption, tell_wait

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Look into an index, or go back to what it held.")
    group.command("info", epilog="Example: footnote index info --index demo")(info)
    group.command("rollback", epilog="Example: footnote index rollback --index my-shop")(rollback)
    app.add_typer(group, name="index")


def info(*, index: IndexOption = None, as_json: JsonOption = False) -> None:
    """Show the generations of an index and what the present one holds."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy
    from ingestion.index import index_info  # noqa: PLC0415 - heavy

    facts = index_info(index_path(index or Settings.load().index))
    if as_json:
        print_json(facts)
    else:
        _print(out(), facts)


def rollback(
    *,
    index: IndexOption = None,
    to: Annotated[
        str | None, typer.Option(metavar="GENERATION", help="Which one; by default that which answered before.")
    ] = None,
    wait: WaitOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let an earlier generation answer again, at once and for running chats too.

    Nothing is removed: `--to` also goes forward again. The next ingest of other files than those it was made from
    makes a new generation as always, and says what that changes.
    """
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy, with all below
    from ingestion.generations import LOCK_WAIT_SECONDS, silent  # noqa: PLC0415
    from ingestion.index import roll_back  # noqa: PLC0415

    folder = index_path(index or Settings.load().index)
    waiting = silent if quiet else tell_wait(folder)
    before, now = roll_back(folder, to, LOCK_WAIT_SECONDS if wait is None else wait, waiting)
    if as_json:
        print_json({"index": str(folder), "before": before, "generation": now})
    elif not quiet:
        err().print(f"Generation {now} answers now, instead of {before}", soft_wrap=True)


def _print(console: "Console", facts: dict[str, Any]) -> None:
    from rich.filesize import decimal  # noqa: PLC0415 - only here

    console.print(f"Index {facts['index']}: {facts['products']:,} products", style="bold", soft_wrap=True)
    for one in facts["history"]:
        console.print(f"  {one['generation']}{'  (answers now)' if one['answers'] else ''}", soft_wrap=True)
        made = f"made {one['made_at']}, {decimal(one['bytes'])}, {_changes(one)}"
        console.print(f"    {made}", style="dim", soft_wrap=True)
    sizes = ", ".join(f"{part} {decimal(size)}" for part, size in facts["bytes"].items())
    console.print(f"Embedding model {facts['model']}\nOn disk: {sizes}\n", soft_wrap=True)
    _print_texts(console, facts)


def _changes(generation: dict[str, Any]) -> str:
    from ingestion.report import Changes  # noqa: PLC0415 - heavy

    changes = Changes(**generation["changes"] or {})
    return f"{generation['evidence']:,} pieces of evidence" + (f" ({changes})" if changes.against else "")


def _print_texts(console: "Console", facts: dict[str, Any]) -> None:
    """The evidence by source type, with the lengths of its texts."""
    from rich.table import Table  # noqa: PLC0415 - only here

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("Source type", "Evidence", "Words: mean", "min", "max", "Tokens: mean", "min", "max"):
        table.add_column(name, justify="left" if name == "Source type" else "right")
    for kind, described in facts["texts"].items():
        lengths = [
            f"{described[unit][name]:,.0f}" for unit in ("words", "tokens") for name in ("mean", "min", "max")
        ]  # fmt: skip
        table.add_row(kind, f"{described['evidence']:,}", *lengths)
    console.print(table)
