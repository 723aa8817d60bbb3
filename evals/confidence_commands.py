"""The commands that learn confidence from whole turns, and measure it."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import JsonOption, err, out, prepare_file, print_json, write_file

OutOption = Annotated[
    Path | None, typer.Option("--out", help="Write the report, as Markdown, to this file.", show_default=False)
]


def register(app: typer.Typer, report: typer.Typer) -> None:
    """Add the commands.

    Args:
        app: The application; its `train` gets one more part.
        report: The group of reports.
    """
    report.command("confidence", epilog="Example: footnote report confidence --out docs/confidence.md")(
        report_confidence
    )
    _train_group(app).command("confidence", epilog="Example: FOOTNOTE_BENCH=../bench footnote train confidence")(
        train_confidence
    )


def report_confidence(*, out_file: OutOption = None, as_json: JsonOption = False) -> None:
    """Measure how well confidence is calibrated, on a pack in FOOTNOTE_BENCH and questions about the demo shop."""
    from evals import confidence_report  # noqa: PLC0415 - heavy, with the next
    from evals.confidence_examples import examples  # noqa: PLC0415

    if out_file is not None:
        prepare_file(out_file)
    asked = examples("test")
    if out_file is not None:
        write_file(out_file, confidence_report.as_markdown(asked).encode())
    if as_json:
        print_json(confidence_report.as_json(asked))
    elif out_file is None:
        out().print(confidence_report.as_markdown(asked), soft_wrap=True)


def train_confidence() -> None:
    """Train confidence on answers to train questions, after all other parts; write its weights and its model card."""
    from evals.confidence_training import train  # noqa: PLC0415 - heavy

    release = train()
    release.write()
    for name, figures in release.figures.items():
        err().print(f"{name}: {figures}")


def _train_group(app: typer.Typer) -> typer.Typer:
    """`footnote train`, or a group of that name where there is none yet."""
    found = [group.typer_instance for group in app.registered_groups if group.name == "train"]
    if found and found[0] is not None:
        return found[0]
    train = typer.Typer(no_args_is_help=True, help="Train a part of the assistant again from its data.")
    train.callback()(lambda: None)
    app.add_typer(train, name="train")
    return train
