"""Where results go: tables and progress on the terminal, reports into a file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from app.cli.console import out, print_json, write_file

OutOption = Annotated[
    Path | None, typer.Option("--out", help="Write the report, as Markdown, to this file.", show_default=False)
]

Show = Callable[[str, int, int], None]
"""Called with the stage, what is done of it and what there is in all."""


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


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[str] = ()) -> Table:
    """A plain table of texts, figures to the right.

    Args:
        columns: Their heads.
        rows: A cell for each column.
        left: Heads of the columns that hold words, beside the first one.
    """
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number == 0 or name in left else "right")
    for row in rows:
        table.add_row(*row)
    return table


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as Markdown, with a line end behind each row."""
    head, *body = (f"| {' | '.join(row)} |\n" for row in (columns, *rows))
    return f"{head}|{'---|' * len(columns)}\n{''.join(body)}"


@contextmanager
def showing_progress(console: Console) -> Iterator[Show]:
    """Show a bar for each stage, with what is done in a second."""
    tasks: dict[tuple[str, int], TaskID] = {}
    rate = TextColumn("{task.fields[rate]}", style="dim")
    columns = (TextColumn("{task.description:<8}"), BarColumn(), MofNCompleteColumn(), rate, TimeElapsedColumn())
    with Progress(*columns, console=console) as bars:

        def show(stage: str, done: int, total: int) -> None:
            if (stage, total) not in tasks:
                tasks[stage, total] = bars.add_task(stage, total=total, rate="")
            task = tasks[stage, total]
            bars.update(task, completed=done)
            elapsed = bars.tasks[bars.task_ids.index(task)].elapsed
            bars.update(task, rate=f"{done / elapsed:,.0f}/s" if elapsed else "")

        yield show
