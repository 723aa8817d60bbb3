"""The commands that learn confidence from whole turns, and measure it."""

import typer

from app.cli.console import JsonOption, err, prepare_file
from evals.written_report import OutOption, hand_over


def register(train: typer.Typer, report: typer.Typer) -> None:
    """Add the commands to the groups `footnote train` and `footnote report`."""
    report.command("confidence", epilog="Example: footnote report confidence --out docs/confidence.md")(
        report_confidence
    )
    train.command("confidence", epilog="Example: FOOTNOTE_BENCH=../bench footnote train confidence")(train_confidence)


def report_confidence(*, out_file: OutOption = None, as_json: JsonOption = False) -> None:
    """Measure how well confidence is calibrated, on a pack in FOOTNOTE_BENCH and questions about the demo shop."""
    from evals.confidence.examples import examples  # noqa: PLC0415 - heavy, with the next
    from evals.confidence.figures import as_json as figures_of  # noqa: PLC0415
    from evals.confidence.figures import as_markdown  # noqa: PLC0415

    if out_file is not None:
        prepare_file(out_file)
    asked = examples("test")
    hand_over(out_file, as_markdown(asked), figures_of(asked) if as_json else None)


def train_confidence() -> None:
    """Train confidence on answers to train questions, after all other parts; write its weights and its model card."""
    from evals.confidence.training import train  # noqa: PLC0415 - heavy

    release = train()
    release.write()
    for name, figures in release.figures.items():
        err().print(f"{name}: {figures}")
