"""`footnote train`: the trained parts, made again from their data."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import IndexOption, err, write_file
from app.errors import InputError
from evals.packs import VARIABLE

if TYPE_CHECKING:
    from evals.training.release import Release

BenchOption = Annotated[
    Path, typer.Option(help="Folder of the benchmark packs.", envvar=VARIABLE, exists=True, file_okay=False)
]


OutOption = Annotated[Path, typer.Option("--out", help="Folder for both models.", file_okay=False)]


def register(train: typer.Typer) -> None:
    """Add the commands to the group `footnote train`."""
    train.command("intent", epilog="Example: footnote train intent --test tests/graph/intents_heldout.jsonl")(intent)
    train.command("flags", epilog="Example: footnote train flags")(flags)
    train.command("continuity", epilog="Example: FOOTNOTE_BENCH=../bench footnote train continuity")(continuity)
    train.command("catalog", epilog="Example: FOOTNOTE_BENCH=../bench footnote train catalog")(catalog)
    train.command("ranker", epilog="Example: footnote train ranker")(ranker)
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

    Begun as all-mpnet-base-v2 they are what ships: the encoder's weights and graph in ingestion/statement_encoder,
    the reader's folder in graph/reader. Needs the packages of the group `dev`.
    """
    from evals.training.packs import MissingTrainingDataError  # noqa: PLC0415
    from evals.training.reader import read_lessons, train, train_encoder  # noqa: PLC0415 - heavy, with all below
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


class NeedlessIndexError(InputError):
    """An index was named, but no shop whose intents it should know."""

    def __init__(self) -> None:
        super().__init__("--index keeps what --shop adds, and no shop was named. Give --shop as well, or neither.")


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
    from evals.training.intents.release import train  # noqa: PLC0415 - heavy
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    if shop is not None:
        _train_for_shop(shop, index)
        return
    if index is not None:
        raise NeedlessIndexError
    release = train(shared_encoder(), test)
    release.write()
    for name, figures in release.figures:
        err().print(
            f"{name}: accuracy {figures.accuracy:.3f}, weighted F1 {figures.weighted_f1:.3f}, "
            f"ECE {figures.ece:.3f}, n {figures.rows}"
        )


def flags() -> None:
    """Train what reads whether there is a question and whether a person is wanted; write weights and model card."""
    from evals.training.flags import train_flags  # noqa: PLC0415 - heavy
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    release = train_flags(shared_encoder())
    release.write()
    measured = release.flags
    err().print(
        f"cross-validated: searchable {measured.searchable_accuracy:.3f}, live_agent precision "
        f"{measured.live_agent_precision:.3f}, recall {measured.live_agent_recall:.3f}, n {release.labels.rows}"
    )


def _train_for_shop(shop: Path, index: str | None) -> None:
    """Keep a model with an index that knows the intents of its shop; the next assistant that opens it uses it."""
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy, with all below
    from graph.intents.shop import FILE_NAME, ShopIntentsError, train_for_shop  # noqa: PLC0415
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


def continuity(*, bench: BenchOption) -> None:
    """Train what tells a change of subject, and write its weights and its model card."""
    from evals.training.continuity_model import train  # noqa: PLC0415 - heavy, with the next
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    _release(lambda: train(shared_encoder(), bench))


def ranker() -> None:
    """Train what chooses among possible answers, on made-up shops; write weights and model card."""
    from evals.training.ranker import train  # noqa: PLC0415 - heavy

    _release(train)


def catalog(*, bench: BenchOption) -> None:
    """Train product matching on train rows of the benchmark packs, and write its weights and its model card."""
    from evals.training.matching import train  # noqa: PLC0415 - heavy

    _release(lambda: train(bench))


def _release(train: Callable[[], "Release[object]"]) -> None:
    """Train a part, write its files and say what was measured."""
    from evals.training.packs import MissingTrainingDataError  # noqa: PLC0415 - heavy

    try:
        release = train()
    except MissingTrainingDataError as error:
        raise InputError(str(error)) from error
    release.write()
    for name, figures in release.figures.items():
        err().print(f"{name}: {figures}")
