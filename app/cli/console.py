"""Where output goes: answers to standard output, everything about them to standard error."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from app.errors import UnwritableFileError
from ingestion.readers.notes import one_line

if TYPE_CHECKING:
    from rich.progress import TaskID
    from rich.table import Table

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index",
        help="Name of an index in .footnote, or a folder such as ./my-index. Default: the setting `index`.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
OutOption = Annotated[Path | None, typer.Option("--out", help="Write it to this file instead.", show_default=False)]
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


def hand_over(out_file: Path | None, markdown: str, figures: Mapping[str, Any] | None = None) -> None:
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
        print_json(dict(figures))
    elif out_file is None:
        out().print(markdown, soft_wrap=True)


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[str] = ()) -> "Table":
    """A plain table of texts, figures to the right.

    Args:
        columns: Their heads.
        rows: A cell for each column.
        left: Heads of the columns that hold words, beside the first one.
    """
    from rich.table import Table  # noqa: PLC0415 - only with a table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number == 0 or name in left else "right")
    for row in rows:
        table.add_row(*row)
    return table


@contextmanager
def showing_progress(
    names: Mapping[str, str] | None = None, *, hidden: bool = False
) -> Iterator[Callable[[str, int, int], None]]:
    """Show on standard error, where that is a terminal, a bar for each stage.

    Args:
        names: What stages are called.
        hidden: Show nothing.

    Yields:
        Called with the stage, what is done of it and what there is in all.
    """
    from rich.progress import (  # noqa: PLC0415 - only with a progress bar, with the next
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    tasks: dict[tuple[str, int], TaskID] = {}
    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = err()
    with Progress(*columns, console=console, disable=hidden or not console.is_terminal) as bars:

        def show(stage: str, done: int, total: int) -> None:
            if (stage, total) not in tasks:
                tasks[stage, total] = bars.add_task((names or {}).get(stage, stage), total=total)
            bars.update(tasks[stage, total], completed=done)

        yield show
