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


def train_reader(*, bench: BenchOption, out: OutOption) -> None:
    """Train an encoder and a reader on the made-up shops and the packs, and measure the reader on shops held back.

    Needs the packages of the group `dev`. No turn uses them yet.
    """
    from evals.training.reader import read_lessons, train  # noqa: PLC0415 - heavy, with the next
    from graph.trained.packs import MissingTrainingDataError  # noqa: PLC0415

    try:
        lessons = read_lessons(bench)
    except MissingTrainingDataError as error:
        raise InputError(str(error)) from error
    for name, figures in train(lessons, out).items():
        err().print(f"{name}: {figures}")
