"""Grounding: recorded turns whose sentences and citations were labelled by reading, and how far a judge agrees.

The metrics are those of the Cite Before You Speak paper, section 3, with such labels in place of its entailment model.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from evals.metrics.answers import JudgedAnswer, JudgedSentence, grounding_metrics
from evals.metrics.judges import Judge, LexicalJudge
from evals.report import Evaluation, Metric, Rows, Scored, mean_metric, pooled_metric, run_rows, statistic_metric
from evals.rows import Request, Row, read_rows
from graph.turn import Derived

_JUDGED = "judge_kappa and judge_accuracy leave counts and conversions out. The judge is"


class LabelledCitation(BaseModel):
    """A citation where a sentence has it.

    Attributes:
        correct: Whether its quote supports the part of the sentence at which it stands.
    """

    model_config = ConfigDict(frozen=True)

    marker: int
    evidence_id: str
    title: str
    quote: str
    derived: Derived | None = None
    correct: bool


class LabelledSentence(BaseModel):
    """A sentence of an answer; a "yes" or "no" before it is labelled with it.

    Attributes:
        grounded: Whether all that it states is said by its quotes, or follows from the evidence that it counts.
        helps: Whether it says something that was asked.
        note: What a reader of the label should know.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    factual: bool
    grounded: bool | None = None
    helps: bool | None = None
    note: str | None = None
    citations: list[LabelledCitation]

    @model_validator(mode="after")
    def _labelled(self) -> Self:
        if self.factual and (self.grounded is None or self.helps is None):
            message = "a factual sentence needs the labels grounded and helps"
            raise ValueError(message)
        return self

    @property
    def computed(self) -> bool:
        """Whether it tells a count, a mean or a conversion."""
        return any(citation.derived for citation in self.citations)

    @property
    def judged(self) -> JudgedSentence:
        """The same as the metrics of answers see it."""
        citations = {str(place): citation.correct for place, citation in enumerate(self.citations)}
        return JudgedSentence(
            self.text, self.factual, computed=False, grounded=bool(self.grounded), citations=citations
        )


class LabelledTurn(Row):
    """A turn as it was answered, with its labels.

    Attributes:
        products: Names of the products it is about.
        helped: Whether the turn serves the user: answers what was asked, or rightly says that it cannot.
    """

    id: str
    question: str
    products: list[str]
    helped: bool
    sentences: list[LabelledSentence]

    @property
    def factual(self) -> list[LabelledSentence]:
        """The sentences that state something."""
        return [sentence for sentence in self.sentences if sentence.factual]

    @property
    def judged(self) -> JudgedAnswer:
        """The same as the metrics of answers see it; who reads can judge counts and conversions, too."""
        return JudgedAnswer(answered=True, sentences=tuple(one.judged for one in self.sentences), cited=0, given=0)


Result = Scored[LabelledTurn, tuple[tuple[bool, bool], ...]]
"""A turn, and for each sentence that a judge can judge the label and what the judge says."""


def evaluate(request: Request, load: Callable[[], Judge] = LexicalJudge) -> Evaluation:
    """Tell the labels of recorded turns as figures, and have a judge judge the same sentences by their quotes.

    `cgr` is over factual sentences, counts and conversions among them, `ccr` over citations where sentences have them,
    `psr` over sentences that cite. `helps` is over factual sentences, `helped` over turns. `turns_grounded` is the
    share of turns that state something and are grounded in all of it. `judge_kappa` is Cohen's. Intervals are over
    turns.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, LabelledTurn, request.split)
    run = run_rows(rows, load, judge_turn)
    return run.evaluation("grounding", request.data, _metrics, _prediction, warnings=[f"{_JUDGED} {run.part.name}."])


def judge_turn(judge: Judge, row: LabelledTurn) -> tuple[tuple[bool, bool], ...]:
    """Have every factual sentence of a turn judged by its quotes, but those that no source says."""
    names = " ".join(row.products)
    return tuple(
        (bool(sentence.grounded), judge.supports(sentence.text, _quotes(sentence), names))
        for sentence in row.factual
        if not sentence.computed
    )


def _quotes(sentence: LabelledSentence) -> list[str]:
    return [f"{citation.title}\n{citation.quote}" for citation in sentence.citations]


def _metrics(results: Sequence[Result]) -> dict[str, Metric]:
    rows = [result.row for result in results]
    labelled = grounding_metrics([row.judged for row in rows])
    return {name: labelled[name] for name in ("cgr", "ccr", "psr", "scr")} | {
        "turns_grounded": mean_metric([row.judged.grounded for row in rows if row.factual]),
        "helps": pooled_metric([[bool(sentence.helps) for sentence in row.factual] for row in rows]),
        "helped": mean_metric([row.helped for row in rows]),
        "judge_accuracy": pooled_metric([[label == said for label, said in result.found] for result in results]),
        "judge_kappa": _kappa([result.found for result in results]),
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
