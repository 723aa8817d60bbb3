"""The command that trains the reader."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import err
from app.errors import InputError
from evals.packs import VARIABLE

BenchOption = Annotated[
    Path, typer.Option(help="Folder of the benchmark packs.", envvar=VARIABLE, exists=True, file_okay=False)
]


OutOption = Annotated[Path, typer.Option("--out", help="Folder for both models.", file_okay=False)]


def register(train: typer.Typer) -> None:
    """Add the command to the group `footnote train`."""
    train.command("reader", epilog="Example: FOOTNOTE_BENCH=../bench footnote train reader --out build/reader")(
        train_reader
    )


def train_reader(
    *,
    bench: BenchOption,
    out: OutOption,
    base: Annotated[
        Path | None,
        typer.Option(help="Folder of the model to begin as. Default: all-MiniLM-L6-v2.", exists=True, file_okay=False),
    ] = None,
    encoder_only: Annotated[bool, typer.Option(help="Train the encoder alone.")] = False,
) -> None:
    """Train an encoder and a reader on the made-up shops and the packs, and measure the reader on shops held back.

    Begun as all-mpnet-base-v2 they are what ships: the encoder's `weights.safetensors` in ingestion/statement_encoder,
    the reader's folder in graph/reader. Needs the packages of the group `dev`.
    """
    from evals.training.reader import read_lessons, train, train_encoder  # noqa: PLC0415 - heavy, with all below
    from graph.trained.packs import MissingTrainingDataError  # noqa: PLC0415
    from ingestion.encoder import model_folder  # noqa: PLC0415

    try:
        lessons = read_lessons(bench)
    except MissingTrainingDataError as error:
        raise InputError(str(error)) from error
    base = base or model_folder()
    if encoder_only:
        train_encoder(lessons, base, out)
        return
    for name, figures in train(lessons, base, out).items():
        err().print(f"{name}: {figures}")
