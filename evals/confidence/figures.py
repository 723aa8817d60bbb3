"""How good confidence is: calibrated, and telling right answers from wrong ones."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evals.confidence.examples import ConfidenceExample
from evals.metrics.auroc import auroc_metric
from evals.metrics.calibration import calibration_metric
from evals.report import Metric, mean_metric

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence.

    Attributes:
        low: Least score of the bin.
        high: Where the next begins.
        n: How many answers.
        said: Their mean score.
        right: Share of them that is right.
    """

    low: float
    high: float
    n: int
    said: float
    right: float


@dataclass(frozen=True, slots=True)
class ConfidenceMetrics:
    """Figures over answers.

    Attributes:
        rows: How many.
        right: Share of them that is right.
        auroc: How well right ones are told from wrong ones; not a number where all are of one kind.
        ece: Expected calibration error; not a number over none.
    """

    rows: int
    right: float
    auroc: float
    ece: float

    def __str__(self) -> str:
        return f"AUROC {self.auroc:.3f}, ECE {self.ece:.3f}, right {self.right:.3f}, n {self.rows}"


def measure(answers: Sequence[ConfidenceExample]) -> ConfidenceMetrics:
    """Measure the scores of answers."""
    metrics = confidence_metrics([one for one in answers if one.answered])
    right, auroc, ece = (metrics[name].value for name in ("right", "auroc", "ece"))
    return ConfidenceMetrics(len(answers), *(math.nan if value is None else value for value in (right, auroc, ece)))


def confidence_metrics(examples: Sequence[ConfidenceExample]) -> dict[str, Metric]:
    """Figures over the answers; `all.` takes refusals in as answers that are not right.

    `answerable_auroc` is over all: whether the score tells what the evidence answers from what it does not.
    """
    answers = [one for one in examples if one.answered]
    return {
        "right": mean_metric([one.right for one in answers]),
        "ece": calibration_metric([one.score for one in answers], [one.right for one in answers]),
        "auroc": auroc_metric([one.right for one in answers], [one.score for one in answers]),
        "all.ece": calibration_metric([one.score for one in examples], [one.right for one in examples]),
        "all.auroc": auroc_metric([one.right for one in examples], [one.score for one in examples]),
        "answerable_auroc": auroc_metric([one.answerable for one in examples], [one.score for one in examples]),
    }


def reliability(examples: Sequence[ConfidenceExample]) -> list[Bin]:
    """Answers by tenths of confidence; a tenth without answers is left out."""
    placed: dict[int, list[ConfidenceExample]] = {}
    for one in (one for one in examples if one.answered):
        placed.setdefault(min(int(one.score * BINS), BINS - 1), []).append(one)
    return [
        Bin(
            low=place / BINS,
            high=(place + 1) / BINS,
            n=len(held),
            said=sum(one.score for one in held) / len(held),
            right=sum(one.right for one in held) / len(held),
        )
        for place, held in sorted(placed.items())
    ]
