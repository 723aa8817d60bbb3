"""`footnote index`: what is in an index."""

from typing import Any

import typer

from app.cli.console import IndexOption, JsonOption, out, print_json


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Look into an index.")
    group.command("info", epilog="Example: footnote index info --index demo")(info)
    app.add_typer(group, name="index")


def info(*, index: IndexOption = None, as_json: JsonOption = False) -> None:
    """Show the generations of an index and what the present one holds."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy
    from ingestion.generations import complete_generations, latest_generation, read_manifest  # noqa: PLC0415

    folder = index_path(index or Settings.load().index)
    latest = latest_generation(folder)
    report: dict[str, Any] = read_manifest(folder, latest)["report"]
    facts = {
        "index": str(folder),
        "generation": latest,
        "generations": complete_generations(folder),
        "products": report["products"],
        "evidence": report["evidence"],
    }
    if as_json:
        print_json(facts)
    else:
        _print(facts)


def _print(facts: dict[str, Any]) -> None:
    from rich.table import Table  # noqa: PLC0415 - only here

    console = out()
    console.print(f"Index {facts['index']}: {facts['products']:,} products", style="bold", soft_wrap=True)
    for name in facts["generations"]:
        console.print(f"  {name}{'  (answers now)' if name == facts['generation'] else ''}", soft_wrap=True)
    table = Table("Source type", "Evidence", box=None, padding=(0, 2, 0, 0))
    for source_type, count in sorted(facts["evidence"].items()):
        table.add_row(source_type, f"{count:,}")
    console.print(table)
