"""Grounding: how far the judge of answers agrees with people, on recorded turns that were labelled by reading."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from evals.metrics.judges import LexicalJudge
from evals.report import Evaluation, Metric, Rows, Scored, pooled_metric, run_rows, statistic_metric
from evals.rows import Request, Row, read_rows
from graph.turn import Derived


class LabelledCitation(BaseModel):
    """A citation where a sentence has it."""

    model_config = ConfigDict(frozen=True)

    title: str
    quote: str
    derived: Derived | None = None


class LabelledSentence(BaseModel):
    """A sentence of an answer; a "yes" or "no" before it is labelled with it.

    Attributes:
        grounded: Whether all that it states is said by its quotes, or follows from the evidence that it counts.
        note: What a reader of the label should know.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    factual: bool
    grounded: bool | None = None
    note: str | None = None
    citations: list[LabelledCitation]

    @model_validator(mode="after")
    def _labelled(self) -> Self:
        if self.factual and self.grounded is None:
            message = "a factual sentence needs the label grounded"
            raise ValueError(message)
        return self


class LabelledTurn(Row):
    """A turn as it was answered, with its labels; `products` are the names of those it is about."""

    id: str
    question: str
    products: list[str]
    sentences: list[LabelledSentence]


Result = Scored[LabelledTurn, tuple[tuple[bool, bool], ...]]
"""A turn, and for each sentence that a judge can judge the label and what the judge says."""


def evaluate(request: Request, load: Callable[[], LexicalJudge] = LexicalJudge) -> Evaluation:
    """Have a judge judge labelled sentences by their quotes, and tell how often it says what the label says.

    `grounded` is the share that is labelled so, `judge_accuracy` that of equal verdicts, `judge_kappa` Cohen's. Left
    out are sentences that state nothing, and counts and conversions, which no source says. Intervals are over turns.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, LabelledTurn, request.split)
    run = run_rows(rows, load, judge_turn)
    return run.evaluation("grounding", request.data, _metrics, _prediction, judge=run.part.name)


def judge_turn(judge: LexicalJudge, row: LabelledTurn) -> tuple[tuple[bool, bool], ...]:
    """Have every factual sentence of a turn judged by its quotes, but those that no source says."""
    names = " ".join(row.products)
    return tuple(
        (
            bool(one.grounded),
            judge.supports(one.text, [f"{cited.title}\n{cited.quote}" for cited in one.citations], names),
        )
        for one in row.sentences
        if one.factual and not any(cited.derived for cited in one.citations)
    )


def _metrics(results: Sequence[Result]) -> dict[str, Metric]:
    judged = [result.found for result in results]
    return {
        "grounded": pooled_metric([[label for label, _ in turn] for turn in judged]),
        "judge_accuracy": pooled_metric([[label == said for label, said in turn] for turn in judged]),
        "judge_kappa": _kappa(judged),
    }


def _kappa(judged: Sequence[Sequence[tuple[bool, bool]]]) -> Metric:
    """Cohen's kappa (1960) of pairs of labels, given turn by turn; undefined where both give one label alone."""
    cells = [(True, True), (True, False), (False, True), (False, False)]
    counts = np.array([[list(turn).count(cell) for cell in cells] for turn in judged])

    def kappa(rows: Rows) -> float:
        sums = counts[rows].sum(axis=0)
        yes, only_first, only_second, no = sums / max(sums.sum(), 1)
        first, second = yes + only_first, yes + only_second
        chance = first * second + (1 - first) * (1 - second)
        return float((yes + no - chance) / (1 - chance)) if chance < 1 else np.nan

    return statistic_metric(len(counts), kappa).model_copy(update={"n": int(counts.sum())})


def _prediction(result: Result) -> Mapping[str, Any]:
    return {
        "id": result.row.id,
        "grounded": [label for label, _ in result.found],
        "judged": [said for _, said in result.found],
    }
