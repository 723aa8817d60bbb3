"""Progress bars with rates, on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

Show = Callable[[str, int, int], None]
"""Called with the stage, what is done of it and what there is in all."""


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
