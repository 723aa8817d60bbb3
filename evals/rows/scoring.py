"""What all evaluations of rows share: a part is loaded, told each row in turn, and timed."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.settings import Settings
from evals.report import Evaluation, Metric, Report, latency
from evals.rows.reading import Request

WARM_UP = 3
"""Rows that are told before the clock runs: models are loaded by then."""
NAMED = 5
"""Ids that a warning names."""

PartT = TypeVar("PartT")
RowT = TypeVar("RowT")
FoundT = TypeVar("FoundT")
OtherT = TypeVar("OtherT")


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
        request: Request,
        metrics: Callable[[Sequence[Scored[RowT, FoundT]]], dict[str, Metric]],
        prediction: Callable[[Scored[RowT, FoundT]], Mapping[str, Any]],
        **told: Any,  # noqa: ANN401 - fields of different types
    ) -> Evaluation:
        """The report and the line of every row.

        Args:
            component: What was evaluated.
            request: On what.
            metrics: Figures of the results.
            prediction: The line of one result.
            told: What else the report tells, such as warnings; fields of `Report`.
        """
        report = Report(
            component=component,
            data=str(request.data),
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
        began = time.perf_counter()
        found = tell(part, row)
        times.append((time.perf_counter() - began) * 1000)
        results.append(Scored(row, found))
    return Run(part, results, times, round(time.perf_counter() - start, 3), config_hash)


def few(names: Sequence[str]) -> str:
    """The first of some names, as a warning tells them."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
