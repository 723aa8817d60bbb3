"""Where output goes: answers to standard output, everything about them to standard error."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from app.errors import UnwritableFileError
from ingestion.readers.repairs import one_line

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index",
        help="Name of an index in .footnote, or a folder such as ./my-index. Default: the setting `index`.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print no more than a script needs.")]


def out() -> Console:
    """The console of standard output; evidence is never read as markup."""
    return Console(markup=False, highlight=False, emoji=False)


def err() -> Console:
    """The console of standard error."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object to standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def write_file(path: Path, content: bytes) -> None:
    """Write a file that the user asked for.

    Raises:
        UnwritableFileError: Its folder does not exist or may not be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UnwritableFileError(path, (error.strerror or str(error)).lower()) from error


def prepare_file(path: Path) -> None:
    """Make sure, before long work, that a file that the user asked for can be written; make its folder.

    Raises:
        UnwritableFileError: It cannot.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError as error:
        raise UnwritableFileError(path, (error.strerror or str(error)).lower()) from error


def complain(message: str) -> None:
    """Print one clear line to standard error."""
    sys.stderr.write(f"footnote: {one_line(message, len(message))}\n")
