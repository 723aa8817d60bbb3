"""`footnote evidence`: what a citation points to."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import IndexOption, JsonOption, out, print_json

if TYPE_CHECKING:
    from ingestion.evidence import Evidence

FIELDS = ("evidence_id", "source_type", "text", "title", "section", "page", "url", "updated_at", "product_id")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("evidence", epilog="Example: footnote evidence spec:aurora-x2 --index demo --json")(evidence)


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
    from app.sources import find_source  # noqa: PLC0415

    settings = Settings.load()
    found, name = find_source(evidence_id, generation, index_path(index or settings.index), settings)
    if as_json:
        print_json({field: getattr(found, field) for field in FIELDS} | {"generation": name})
    else:
        _print(found, name)


def _print(found: "Evidence", generation: str) -> None:
    console = out()
    console.print(found.title, style="bold")
    for name in ("evidence_id", "source_type", "section", "page", "url", "updated_at", "product_id"):
        if (value := getattr(found, name)) is not None:
            console.print(f"{name}: {value}", style="dim", soft_wrap=True)
    console.print(f"generation: {generation}\n", style="dim", soft_wrap=True)
    console.print(found.text, soft_wrap=True)
