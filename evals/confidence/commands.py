"""The commands that learn confidence from whole turns, and measure it."""

import typer

from app.cli.console import JsonOption, err, prepare_file
from evals.written_report import OutOption, hand_over


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
    from evals.confidence import report as confidence_report  # noqa: PLC0415 - heavy, with the next
    from evals.confidence.examples import examples  # noqa: PLC0415

    if out_file is not None:
        prepare_file(out_file)
    asked = examples("test")
    hand_over(out_file, confidence_report.as_markdown(asked), confidence_report.as_json(asked) if as_json else None)


def train_confidence() -> None:
    """Train confidence on answers to train questions, after all other parts; write its weights and its model card."""
    from evals.confidence.training import train  # noqa: PLC0415 - heavy

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
