"""What all evaluations of rows share: a part is loaded, told each row in turn, and timed."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from app.settings import Settings
from evals.report import Evaluation, Metric, ModelUse, Report, latency
from evals.rows.reading import Request

WARM_UP = 3
"""Rows that are told before the clock runs: models are loaded by then."""


class Timed(Protocol):
    """What came of a row."""

    @property
    def ms(self) -> float:
        """How long it took, in milliseconds."""
        ...


RowT = TypeVar("RowT")
PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT", bound=Timed)


@dataclass(frozen=True, slots=True)
class Run(Generic[PartT, ResultT]):
    """What came of all rows.

    Attributes:
        part: What was told.
        results: One a row, in their order.
        seconds: How long all of it took, the loading of the part included.
        config_hash: The settings that it ran under.
    """

    part: PartT
    results: list[ResultT]
    seconds: float
    config_hash: str

    def evaluation(  # noqa: PLR0913 - a report has as many parts
        self,
        component: str,
        request: Request,
        metrics: Callable[[Sequence[ResultT]], dict[str, Metric]],
        prediction: Callable[[ResultT], Mapping[str, Any]],
        *,
        warnings: Sequence[str] = (),
        generation: str = "",
        llm: ModelUse | None = None,
    ) -> Evaluation:
        """The report and the line of every row.

        Args:
            component: What was evaluated.
            request: On what.
            metrics: Figures of the results.
            prediction: The line of one result.
            warnings: What a reader of the figures should know of the rows.
            generation: The index's generation, where one was read.
            llm: What a served model was asked for, where one was.
        """
        return Evaluation(
            report=Report(
                component=component,
                data=str(request.data),
                n=len(self.results),
                warnings=list(warnings),
                config_hash=self.config_hash,
                generation=generation,
                metrics=metrics(self.results),
                latency_ms=latency([result.ms for result in self.results]),
                seconds=self.seconds,
                llm=llm,
            ),
            predictions=[dict(prediction(result)) for result in self.results],
        )


def run_rows(
    rows: Sequence[RowT],
    load: Callable[[], PartT],
    tell: Callable[[PartT, RowT], ResultT],
) -> Run[PartT, ResultT]:
    """Load a part and tell it each row.

    Args:
        rows: What it is told.
        load: Loads the part.
        tell: Tells the part one row, and times it.
    """
    config_hash = Settings.load().config_hash
    start = time.perf_counter()
    part = load()
    for row in rows[:WARM_UP]:
        tell(part, row)
    results = [tell(part, row) for row in rows]
    return Run(part, results, round(time.perf_counter() - start, 3), config_hash)
