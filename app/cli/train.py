"""`footnote train`: the trained parts, made again from their data."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import err


def register(app: typer.Typer) -> None:
    """Add the commands."""
    parts = typer.Typer(help="Train a part of the assistant again from its committed data.", no_args_is_help=True)
    parts.command("intent", epilog="Example: footnote train intent --test tests/graph/intents_heldout.jsonl")(intent)
    app.add_typer(parts, name="train")


def intent(
    *,
    test: Annotated[
        Path | None, typer.Option(help="Rows {text, label} that training does not see.", exists=True, dir_okay=False)
    ] = None,
) -> None:
    """Train the intent model, and write its weights and its model card."""
    from graph.intents.release import train  # noqa: PLC0415 - heavy
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    release = train(shared_encoder(), test)
    release.write()
    for name, figures in release.figures:
        err().print(
            f"{name}: accuracy {figures.accuracy:.3f}, weighted F1 {figures.weighted_f1:.3f}, "
            f"ECE {figures.ece:.3f}, n {figures.rows}"
        )
