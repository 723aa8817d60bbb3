"""`footnote index` and `footnote evidence`: what is in an index, going back to what was, one source in full."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.console import IndexOption, JsonOption, QuietOption, err, out, print_json
from app.cli.ingest import WaitOption, tell_wait
from app.errors import UnknownSourceError

if TYPE_CHECKING:
    from rich.console import Console

    from app.settings import Settings
    from ingestion.evidence import Evidence

FIELDS = ("evidence_id", "source_type", "text", "title", "section", "page", "url", "updated_at", "product_id")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Look into an index, or go back to what it held.")
    group.command("info", epilog="Example: footnote index info --index demo")(info)
    group.command("rollback", epilog="Example: footnote index rollback --index my-shop")(rollback)
    app.add_typer(group, name="index")
    app.command("evidence", epilog="Example: footnote evidence spec:aurora-x2 --index demo --json")(evidence)


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


def _print_info(console: "Console", facts: dict[str, Any]) -> None:
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


def evidence(
    evidence_id: Annotated[str, typer.Argument(metavar="ID", help="An evidence id of a citation.", show_default=False)],
    *,
    index: IndexOption = None,
    generation: Annotated[
        str | None, typer.Option(help="The generation it was cited from; the present one by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show one source in full; sources of recorded answers also when their generation is gone."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy

    settings = Settings.load()
    found, name = find_source(evidence_id, generation, index_path(index or settings.index), settings)
    if as_json:
        print_json({field: getattr(found, field) for field in FIELDS} | {"generation": name})
    else:
        _print_evidence(found, name)


def _print_evidence(found: "Evidence", generation: str) -> None:
    console = out()
    console.print(found.title, style="bold")
    for name in ("evidence_id", "source_type", "section", "page", "url", "updated_at", "product_id"):
        if (value := getattr(found, name)) is not None:
            console.print(f"{name}: {value}", style="dim", soft_wrap=True)
    console.print(f"generation: {generation}\n", style="dim", soft_wrap=True)
    console.print(found.text, soft_wrap=True)


def find_source(evidence_id: str, generation: str | None, index: Path, settings: "Settings") -> "tuple[Evidence, str]":
    """Find an evidence and the generation it was read from.

    Args:
        evidence_id: As it stands in a citation.
        generation: The citation's generation; None for the one that answers now.
        index: The index folder.
        settings: Say where the records lie.

    Raises:
        UnknownSourceError: Neither the index nor a recorded answer knows it.
        MissingIndexError: There is no index, and no recorded answer cites it.
        MissingGenerationError: The generation is gone, and no recorded answer cites it.
        CorruptIndexError: The index is damaged.
    """
    from ingestion.errors import MissingGenerationError, MissingIndexError, UnknownEvidenceError  # noqa: PLC0415
    from ingestion.knowledge import open_knowledge  # noqa: PLC0415 - heavy

    try:
        with closing(open_knowledge(index, generation)) as knowledge:
            return knowledge.evidence([evidence_id])[0], knowledge.generation
    except (MissingIndexError, MissingGenerationError, UnknownEvidenceError) as error:
        recorded = _recorded(evidence_id, generation, settings)
        if recorded is not None:
            return recorded
        if isinstance(error, UnknownEvidenceError):
            raise UnknownSourceError(evidence_id, generation) from error
        raise


def _recorded(evidence_id: str, generation: str | None, settings: "Settings") -> "tuple[Evidence, str] | None":
    from app.clock import SystemClock  # noqa: PLC0415 - heavy, with all below
    from app.storage.records import Records  # noqa: PLC0415

    if not settings.records.exists():
        return None
    with closing(Records(settings.records, SystemClock(), settings.team)) as records:
        name = generation or records.latest_generation(evidence_id)
        source = records.source(evidence_id, name) if name else None
        return (source, name) if source and name else None
