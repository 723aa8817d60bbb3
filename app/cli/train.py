"""`footnote train`: the trained parts, made again from their data."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import err
from app.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the commands."""
    parts = typer.Typer(help="Train a part of the assistant again from its data.", no_args_is_help=True)
    parts.command("intent", epilog="Example: footnote train intent --test tests/graph/intents_heldout.jsonl")(intent)
    parts.command("reranker", epilog="Example: FOOTNOTE_BENCH=../bench footnote train reranker")(reranker)
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


def reranker(
    *,
    bench: Annotated[
        Path,
        typer.Option(help="Folder of the benchmark packs.", envvar="FOOTNOTE_BENCH", exists=True, file_okay=False),
    ],
) -> None:
    """Train the reranker on train rows of the benchmark packs, and write its weights and its model card."""
    from graph.retrieval.reranking.packs import MissingTrainingDataError  # noqa: PLC0415 - heavy, with all below
    from graph.retrieval.reranking.release import train  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    try:
        release = train(shared_encoder(), bench)
    except MissingTrainingDataError as error:
        raise InputError(str(error)) from error
    release.write()
    for name, figures in release.figures.items():
        err().print(
            f"{name}: P@1 {figures.precision:.3f}, MRR {figures.reciprocal_rank:.3f}, ECE {figures.ece:.3f}, "
            f"n {figures.rows}"
        )
