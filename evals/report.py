"""An evaluation of rows: a part is told each row and timed, and a report tells its metrics with their intervals."""

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field
from rich.console import Console

from app.cli.console import table_of
from app.settings import Settings

PartT = TypeVar("PartT")
RowT = TypeVar("RowT")
FoundT = TypeVar("FoundT")
OtherT = TypeVar("OtherT")

RESAMPLES = 1000
SEED = 20_240_501

Rows = NDArray[np.intp]
"""Positions of drawn rows, with repetition."""

Figures = NDArray[np.float64]


class Metric(BaseModel):
    """A figure, its 95 % bootstrap interval, and over how many rows it was taken; null over none."""

    value: float | None
    ci95: tuple[float, float] | None
    n: int

    @property
    def shown(self) -> tuple[str, str]:
        """The figure and its interval, as a table has them."""
        value = "-" if self.value is None else f"{self.value:.3f}"
        return value, "-" if self.ci95 is None else f"{self.ci95[0]:.3f} .. {self.ci95[1]:.3f}"


class Latency(BaseModel):
    """Milliseconds a row took: the median, and what 95 % of them stay under."""

    p50: float | None
    p95: float | None


class Report(BaseModel):
    """What an evaluation found.

    Attributes:
        component: What was evaluated.
        data: The rows, as they were named.
        n: How many were scored.
        skipped: How many could not be, and why.
        warnings: What a reader of the figures should know of the rows.
        config_hash: The settings that answers depend on.
        generation: The index's generation; empty where a component needs none.
        metrics: Figures by name.
        latency_ms: How long a row took.
        seconds: How long all of it took.
        judge: Who judged sentences and citations, where somebody did.
    """

    component: str
    data: str
    n: int
    skipped: dict[str, int] = Field(default_factory=dict)
    warnings: list[str] = Field(default_factory=list)
    config_hash: str
    generation: str = ""
    metrics: dict[str, Metric]
    latency_ms: Latency
    seconds: float
    judge: str | None = None


class Evaluation(BaseModel):
    """A report, and one line for every row it was made from."""

    report: Report
    predictions: list[dict[str, Any]]


def mean_metric(values: Sequence[float]) -> Metric:
    """The mean of a figure that each row has."""
    return ratio_metric(values, np.ones(len(values)))


def pooled_metric(groups: Sequence[Sequence[float]]) -> Metric:
    """The mean of figures of which each row has some or none, such as its sentences; rows are drawn, not figures."""
    found = ratio_metric([sum(group) for group in groups], [len(group) for group in groups])
    return found.model_copy(update={"n": sum(map(len, groups))})


def ratio_metric(parts: Sequence[float], wholes: Sequence[float] | Figures) -> Metric:
    """What the parts of all rows make of their wholes together; null where these add up to nothing."""
    part, whole = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)

    def ratio(rows: Rows) -> float:
        total = whole[rows].sum()
        return float(part[rows].sum() / total) if total else math.nan

    return statistic_metric(len(part), ratio)


def statistic_metric(rows: int, statistic: Callable[[Rows], float]) -> Metric:
    """A figure that only all rows together have, such as an F1.

    Args:
        rows: How many rows there are.
        statistic: From the positions of rows, with repetition, to the figure; not a number where it is undefined.

    Returns:
        The figure; null where it is undefined over all rows, or there are none.
    """
    return statistic_metrics(rows, lambda drawn: np.array([statistic(drawn)]), [rows])[0]


def statistic_metrics(rows: int, statistics: Callable[[Rows], Figures], counts: Sequence[int]) -> list[Metric]:
    """Several such figures over the same drawn rows.

    Args:
        rows: How many rows there are.
        statistics: From the positions of rows, with repetition, to the figures; not a number where one is undefined.
        counts: Over how many rows each figure is taken.

    Returns:
        Each figure with the 2.5th and 97.5th percentile of what drawn rows give; the same in every run.
    """
    values = statistics(np.arange(rows)) if rows else np.full(len(counts), np.nan)
    defined = np.isfinite(values)
    spans = np.full((len(values), 2), np.nan)
    if defined.any():
        generator = np.random.default_rng(SEED)
        drawn = [statistics(generator.integers(0, rows, size=rows))[defined] for _ in range(RESAMPLES)]
        spans[defined] = np.nanpercentile(drawn, [2.5, 97.5], axis=0).T
    return [
        Metric(value=round(float(value), 6), ci95=(round(float(low), 6), round(float(high), 6)), n=n)
        if np.isfinite(value)
        else Metric(value=None, ci95=None, n=n)
        for value, (low, high), n in zip(values, spans, counts, strict=True)
    ]


def timed(call: Callable[[], FoundT]) -> tuple[FoundT, float]:
    """What a call gives, and how many milliseconds it took."""
    begun = time.perf_counter()
    found = call()
    return found, (time.perf_counter() - begun) * 1000


def latency(milliseconds: Sequence[float]) -> Latency:
    """Median and 95th percentile."""
    if not milliseconds:
        return Latency(p50=None, p95=None)
    median, high = np.percentile(np.asarray(milliseconds), [50, 95])
    return Latency(p50=round(float(median), 3), p95=round(float(high), 3))


PAGES = Path(__file__).with_name("pages")
WARM_UP = 3
"""Rows that are told before the clock runs: models are loaded by then."""
NAMED = 5
"""Ids that a warning names."""


@dataclass(frozen=True, slots=True)
class Scored(Generic[RowT, FoundT]):
    """A row and what a part made of it."""

    row: RowT
    found: FoundT


@dataclass(frozen=True, slots=True)
class Run(Generic[PartT, RowT, FoundT]):
    """What came of all rows.

    Attributes:
        part: What was told.
        results: One a row, in their order.
        times: How long each took, in milliseconds.
        seconds: How long all of it took, the loading of the part included.
        config_hash: The settings that it ran under.
    """

    part: PartT
    results: Sequence[Scored[RowT, FoundT]]
    times: Sequence[float]
    seconds: float
    config_hash: str

    def then(self, look: Callable[[RowT, FoundT], OtherT]) -> "Run[PartT, RowT, OtherT]":
        """The same with what is looked at afterwards, which no clock counts."""
        results = [Scored(one.row, look(one.row, one.found)) for one in self.results]
        return Run(self.part, results, self.times, self.seconds, self.config_hash)

    def evaluation(
        self,
        component: str,
        data: Path,
        metrics: Callable[[Sequence[Scored[RowT, FoundT]]], dict[str, Metric]],
        prediction: Callable[[Scored[RowT, FoundT]], Mapping[str, Any]],
        **told: Any,  # noqa: ANN401 - fields of different types
    ) -> Evaluation:
        """The report and the line of every row.

        Args:
            component: What was evaluated.
            data: The rows.
            metrics: Figures of the results.
            prediction: The line of one result.
            told: What else the report tells, such as warnings; fields of `Report`.
        """
        report = Report(
            component=component,
            data=str(data),
            n=len(self.results),
            config_hash=self.config_hash,
            metrics=metrics(self.results),
            latency_ms=latency(self.times),
            seconds=self.seconds,
            **told,
        )
        return Evaluation(report=report, predictions=[dict(prediction(result)) for result in self.results])


def run_rows(
    rows: Sequence[RowT], load: Callable[[], PartT], tell: Callable[[PartT, RowT], FoundT]
) -> Run[PartT, RowT, FoundT]:
    """Load a part, tell it each row, and time that.

    Args:
        rows: What it is told.
        load: Loads the part.
        tell: Tells the part one row.
    """
    config_hash = Settings.load().config_hash
    start = time.perf_counter()
    part = load()
    for row in rows[:WARM_UP]:
        tell(part, row)
    results, times = [], []
    for row in rows:
        found, ms = timed(partial(tell, part, row))
        times.append(ms)
        results.append(Scored(row, found))
    return Run(part, results, times, round(time.perf_counter() - start, 3), config_hash)


def few(names: Sequence[str]) -> str:
    """The first of some names, as a warning tells them."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as Markdown, with a line end behind each row."""
    head, *body = (f"| {' | '.join(row)} |\n" for row in (columns, *rows))
    return f"{head}|{'---|' * len(columns)}\n{''.join(body)}"


def page(name: str, **values: object) -> str:
    """A page of `docs/` that is written by a command: `evals/pages/NAME.md` with its figures filled in."""
    return (PAGES / f"{name}.md").read_text(encoding="utf-8").format(**values)


def write_predictions(file: Path, predictions: Sequence[Mapping[str, Any]]) -> None:
    """Write one line a row."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in predictions]
    file.write_text("".join(lines), encoding="utf-8")


def print_report(console: Console, report: Report) -> None:
    """The figures as a table, for people."""
    rows = [(name, *metric.shown, f"{metric.n:,}") for name, metric in report.metrics.items()]
    console.print(f"{report.component} on {report.data}: {report.n:,} rows, {report.seconds:.1f} s", soft_wrap=True)
    console.print(table_of(("metric", "value", "95 % interval", "n"), rows))
    for reason, count in report.skipped.items():
        console.print(f"{count:,} skipped: {reason}", style="yellow", soft_wrap=True)
    for warning in report.warnings:
        console.print(warning, style="yellow", soft_wrap=True)
    if report.latency_ms.p50 is not None and report.latency_ms.p95 is not None:
        console.print(f"{report.latency_ms.p50:.1f} ms a row (p50), {report.latency_ms.p95:.1f} ms (p95)", style="dim")
    generation = f"generation {report.generation}, " if report.generation else ""
    console.print(f"{generation}config {report.config_hash}", style="dim", soft_wrap=True)
