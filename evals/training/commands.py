"""`footnote train`: the trained parts, made again from their data by the recipes beside this file."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import IndexOption, err, write_file
from app.errors import InputError
from evals.rows import VARIABLE

if TYPE_CHECKING:
    from evals.training.recipe import Release

group = typer.Typer(no_args_is_help=True, help="Train a part of the assistant again from its data.")
BenchOption = Annotated[
    Path, typer.Option(help="Folder of the benchmark packs.", envvar=VARIABLE, exists=True, file_okay=False)
]


@group.command(epilog="Example: footnote train intent --test tests/intents.jsonl")
def intent(
    *,
    test: Annotated[
        Path | None, typer.Option(help="Rows {text, label} that training does not see.", exists=True, dir_okay=False)
    ] = None,
    shop: Annotated[
        Path | None,
        typer.Option(help="Folder of a shop whose shop.toml has [intents]: learn these beside ours.", exists=True),
    ] = None,
    index: IndexOption = None,
) -> None:
    """Train the intent model, and write its weights and its model card.

    With --shop, learn the intents of that shop beside ours, and keep the model with its index alone.
    """
    from evals.training import intents  # noqa: PLC0415 - heavy

    if shop is not None:
        _train_for_shop(shop, index)
    elif index is not None:
        msg = "--index keeps what --shop adds, and no shop was named. Give --shop as well, or neither."
        raise InputError(msg)
    else:
        _write(intents.train(test))


def _from_own_data(recipe: str) -> Callable[[], None]:
    return lambda: _write(import_module(f"evals.training.{recipe}").train())


def _from_packs(recipe: str) -> Callable[..., None]:
    def command(*, bench: BenchOption) -> None:
        _write(import_module(f"evals.training.{recipe}").train(bench))

    return command


for _name, _command, _what in (
    ("flags", _from_own_data("flags"), "what reads whether there is a question and whether a person is wanted"),
    ("continuity", _from_packs("continuity"), "what tells a change of subject"),
    ("catalog", _from_packs("matching"), "product matching on train rows of the benchmark packs"),
    ("ranker", _from_own_data("ranker"), "what chooses among possible answers, on made-up shops"),
    ("confidence", _from_own_data("confidence"), "confidence on answers to train questions, after all other parts"),
):
    _help = f"Train {_what}; write weights and model card."
    group.command(_name, help=_help, epilog=f"Example: FOOTNOTE_BENCH=../bench footnote train {_name}")(_command)


@group.command(epilog="Example: FOOTNOTE_BENCH=../bench footnote train reader --out build/reader")
def reader(
    *,
    bench: BenchOption,
    out: Annotated[Path, typer.Option("--out", help="Folder for both models.", file_okay=False)],
    base: Annotated[
        Path | None,
        typer.Option(help="Folder of the model to begin as. Default: all-MiniLM-L6-v2.", exists=True, file_okay=False),
    ] = None,
    encoder_only: Annotated[bool, typer.Option(help="Train the encoder alone.")] = False,
) -> None:
    """Train an encoder and a reader on the made-up shops and the packs, and measure the reader on shops held back.

    Begun as all-mpnet-base-v2 they are what ships: the encoder's weights and graph in ingestion/statement_encoder,
    the reader's folder in graph/reader. Needs the packages of the group `dev`.
    """
    from evals.training.reader import read_lessons, train, train_encoder  # noqa: PLC0415 - heavy, with all below
    from evals.training.recipe import told  # noqa: PLC0415
    from ingestion.encoder import model_folder  # noqa: PLC0415

    lessons, begun = read_lessons(bench), base or model_folder()
    if encoder_only:
        train_encoder(lessons, begun, out)
        return
    for name, metrics in train(lessons, begun, out).items():
        err().print(f"{name}: {told(metrics)}")


@group.command(epilog="Example: FOOTNOTE_BENCH=../bench footnote train writer --out app/llm/writer")
def writer(
    *, bench: BenchOption, out: Annotated[Path, typer.Option("--out", help="Folder for the adapter.", file_okay=False)]
) -> None:
    """Train the adapter of the small writer on turns over the made-up shops and the packs; needs the group `dev`."""
    from evals.training.writer import read_lessons, train  # noqa: PLC0415 - heavy

    train(read_lessons(bench), out)


@group.command(epilog="Example: footnote train embedding")
def embedding() -> None:
    """Write the operators of the embedding model, ingestion/encoder.onnx; its weights stay as published."""
    from evals.training.packing import write_sentence_graph  # noqa: PLC0415 - heavy, with the next
    from ingestion.encoder import GRAPH  # noqa: PLC0415

    write_sentence_graph(GRAPH)


def _write(release: "Release") -> None:
    """Write a part's files and say what was measured."""
    from evals.training.recipe import told  # noqa: PLC0415 - heavy

    release.write()
    for name, metrics in release.metrics.items():
        err().print(f"{name}: {told(metrics)}")


def _train_for_shop(shop: Path, index: str | None) -> None:
    """Keep a model with an index that knows the intents of its shop; the next assistant that opens it uses it."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy, with all below
    from evals.training.intents import ShopIntentsError, train_for_shop  # noqa: PLC0415
    from graph.intents.model import FILE_NAME  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415
    from ingestion.generations import latest_generation  # noqa: PLC0415
    from ingestion.readers.config import CONFIG_NAME, read_config  # noqa: PLC0415

    folder = index_path(index or Settings.load().index)
    latest_generation(folder)  # there must be an index
    file = shop / CONFIG_NAME if shop.is_dir() else shop
    if not file.is_file():
        message = f"There is no {CONFIG_NAME} in {shop}. Make one that has an [intents.NAME] with utterances."
        raise InputError(message)
    try:
        own = train_for_shop(read_config(file).intents, shared_encoder())
    except ShopIntentsError as error:
        message = f"{file}: {error}"
        raise InputError(message) from error
    write_file(folder / FILE_NAME, own.to_bytes())
    err().print(f"{folder} knows {len(own.weights.labels)} intents now: {', '.join(own.weights.labels)}")
