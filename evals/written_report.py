"""Where a report goes: into a file, or onto the terminal as Markdown or JSON."""

from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.console import out, print_json, write_file

OutOption = Annotated[
    Path | None, typer.Option("--out", help="Write the report, as Markdown, to this file.", show_default=False)
]


def hand_over(out_file: Path | None, markdown: str, figures: dict[str, Any] | None = None) -> None:
    """Write a report to a file where one is named, and print it where nothing else is asked for.

    Args:
        out_file: Where it is written.
        markdown: The report.
        figures: The same as plain data, printed as JSON whether a file is named or not.

    Raises:
        UnwritableFileError: The file cannot be written.
    """
    if out_file is not None:
        write_file(out_file, markdown.encode())
    if figures is not None:
        print_json(figures)
    elif out_file is None:
        out().print(markdown, soft_wrap=True)
