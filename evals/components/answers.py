"""Answers: whether a turn over given evidence answers what that evidence answers, from it, and nothing else."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from pydantic import Field

from evals.bootstrap import Rows
from evals.folding import without_markers
from evals.metrics.classification import auroc_metric, calibration_metric
from evals.metrics.grounding import JudgedAnswer, JudgedSentence, grounding_metrics, judge_answer
from evals.metrics.rewriting import token_f1
from evals.metrics.scenarios import Case, scenario_metrics
from evals.metrics.served_judge import Judge, LexicalJudge, served_judge
from evals.report import Evaluation, Metric, Report, mean_metric, statistic_metric
from evals.request import Request
from evals.rows.row import Row, read_rows
from evals.rows.row_by_row import run_rows
from evals.rows.row_knowledge import RowEvidence, RowProduct, evidence_of
from evals.rows.row_turns import Ask, Reply, RowQuestion, load_turns
from graph.turn import Turn

_POLAR = re.compile(r"(?i)\A\W*(?:(yes|yeah|yep)|(no|nope))\b")
_NEGATION = re.compile(r"(?i)\b(not|no|never|cannot|without)\b|n['’]t\b")
_JUDGED = "cgr, ccr, psr and grounded_accuracy leave counts and conversions out and are judged by"


class Answerable(Row):
    """A question, the evidence to answer it from, and whether that is possible.

    Attributes:
        answerable: Whether the evidence answers it.
        gold_evidence: Ids of what answers it.
        partial: Whether the evidence only helps; such a row is scored apart.
        partial_evidence: Ids of what helps.
        answers: What people answered.
    """

    id: str
    question: str
    product: RowProduct | None = None
    evidence: list[RowEvidence]
    answerable: bool
    gold_evidence: list[str]
    partial: bool = False
    partial_evidence: list[str] = Field(default_factory=list)
    intent: str | None = None
    answers: list[str] = Field(default_factory=list)


class AnswersReport(Report):
    """The report, with the name of who judged sentences and citations."""

    judge: str


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a row.

    Attributes:
        cited: Ids, as the row has them, of the evidence cited, by first appearance.
        judged: Its sentences and citations, judged.
        ms: How long the turn took.
    """

    row: Answerable
    reply: Reply
    cited: tuple[str, ...]
    judged: JudgedAnswer
    ms: float

    @property
    def turn(self) -> Turn:
        """The turn."""
        return self.reply.turn

    @property
    def answered(self) -> bool:
        """Whether the turn answers."""
        return is_answered(self.turn)

    @property
    def good(self) -> bool:
        """Whether the first citation answers the question and the others at least help."""
        gold = set(self.row.gold_evidence)
        return (
            self.cited[:1] != ()
            and self.cited[0] in gold
            and gold.union(self.row.partial_evidence).issuperset(self.cited)
        )

    @property
    def case(self) -> Case:
        """How it counts in the scenarios."""
        return Case(
            answerable=self.row.answerable,
            answered=self.answered,
            good=self.good,
            grounded=self.judged.grounded,
            complete=self.turn.outcome == "clear" and not self.reply.missing,
            intent=self.row.intent,
        )


def is_answered(turn: Turn) -> bool:
    """Whether a turn answers: it is clear, or asks back beside something cited."""
    return turn.outcome == "clear" or (turn.outcome == "ambiguous" and bool(turn.citations))


def evaluate(request: Request, load: Callable[[], Ask] = load_turns, judge: Judge | None = None) -> Evaluation:
    """Ask each question of its row's evidence, by the whole graph, as the first turn on its product's page.

    Every intent reads all of the evidence, so that nothing is lost by retrieval. Rows that are `partial` count in
    `partial.answered_rate` alone. `ccov` is the share of questions that the evidence answers. `completeness` is told
    from what the turn itself names as missing, so it is an upper bound. `token_f1` is over answerable questions with
    reference answers, 0 where none was given; `polarity_accuracy` over those whose references say yes or no and that
    were answered; `confidence_auroc` and `confidence_ece` over the answers, a good one being right.

    Raises:
        InputError: The rows cannot be used, or a served model is to judge and the settings name none.
    """
    judge = judge or (served_judge() if request.judge == "llm" else LexicalJudge())
    rows = read_rows(request.data, Answerable, request.split)
    run = run_rows(rows, load, lambda ask, row: ask_row(ask, judge, row))
    warnings = [*_warnings(rows), f"{_JUDGED} {judge.name}."]
    evaluation = run.evaluation("answers", request, _metrics, _prediction, warnings=warnings)
    report = AnswersReport(**evaluation.report.model_dump(), judge=judge.name)
    return evaluation.model_copy(update={"report": report})


def ask_row(ask: Ask, judge: Judge, row: Answerable) -> Result:
    """Ask a row's question of its evidence, as the first turn on its product's page, and judge what comes."""
    question = RowQuestion(row.question, row.evidence, row.product)
    start = time.perf_counter()
    reply = ask(question)
    ms = (time.perf_counter() - start) * 1000
    evidence = evidence_of(row.evidence, row.product)
    ids = {item.evidence_id: item.row_id for item in evidence}
    cited = dict.fromkeys(ids[citation.evidence_id] for citation in reply.turn.citations)
    judged = judge_answer(reply.turn, evidence, judge, answered=is_answered(reply.turn))
    return Result(row, reply, tuple(cited), judged, ms)


def _metrics(results: Sequence[Result]) -> dict[str, Metric]:
    scored = [result for result in results if not result.row.partial]
    answerable = [result for result in scored if result.row.answerable]
    metrics = scenario_metrics([result.case for result in scored])
    metrics |= _citations([result for result in answerable if result.answered])
    metrics |= grounding_metrics([result.judged for result in scored])
    metrics |= {
        "answered_with_citation": mean_metric([result.answered and bool(result.cited) for result in answerable]),
        "token_f1": mean_metric([_token_f1(result) for result in answerable if result.row.answers]),
        "polarity_accuracy": mean_metric(_polarities([result for result in answerable if result.answered])),
    }
    metrics |= _confidence(scored)
    partial = [result for result in results if result.row.partial]
    return metrics | (
        {"partial.answered_rate": mean_metric([result.answered for result in partial])} if partial else {}
    )


def _citations(first: Sequence[Result]) -> dict[str, Metric]:
    """Precision and recall of the evidence cited, pooled over S1."""
    if not first:
        return dict.fromkeys(("cited_precision", "cited_recall"), mean_metric([]))
    met = np.array([len(set(result.row.gold_evidence).intersection(result.cited)) for result in first])
    cited = np.array([len(result.cited) for result in first])
    gold = np.array([len(set(result.row.gold_evidence)) for result in first])

    def pooled(wholes: np.ndarray[Any, np.dtype[np.int64]], drawn: Rows) -> float:
        whole = wholes[drawn].sum()
        return float(met[drawn].sum() / whole) if whole else float("nan")

    return {
        "cited_precision": statistic_metric(len(first), partial(pooled, cited)),
        "cited_recall": statistic_metric(len(first), partial(pooled, gold)),
    }


def _token_f1(result: Result) -> float:
    return token_f1(without_markers(result.turn.answer), result.row.answers) if result.answered else 0.0


def _polarities(answered: Sequence[Result]) -> list[bool]:
    """Whether each answer says yes or no as its references do, where these agree."""
    said = []
    for result in answered:
        wanted = {polarity for polarity in map(_polarity, result.row.answers) if polarity is not None}
        if len(wanted) == 1:
            text = result.turn.answer
            own = _polarity(text)
            said.append(wanted == {own if own is not None else not _NEGATION.search(text)})
    return said


def _polarity(text: str) -> bool | None:
    """Whether a text begins with yes or with no; None where with neither."""
    begins = _POLAR.match(text)
    return None if begins is None else begins[1] is not None


def _confidence(scored: Sequence[Result]) -> dict[str, Metric]:
    answered = [result for result in scored if result.answered]
    right = [result.case.right for result in answered]
    scores = [result.turn.confidence.score for result in answered]
    return {
        "answerable_auroc": auroc_metric(
            [result.row.answerable for result in scored], [result.turn.confidence.score for result in scored]
        ),
        "confidence_auroc": auroc_metric(right, scores),
        "confidence_ece": calibration_metric(scores, right),
    }


def _warnings(rows: Sequence[Answerable]) -> list[str]:
    strangers = [
        row.id
        for row in rows
        if not {item.id for item in row.evidence}.issuperset([*row.gold_evidence, *row.partial_evidence])
    ]
    bare = [row.id for row in rows if row.answerable and not row.gold_evidence]
    said = [f"{len(bare):,} answerable rows have no gold_evidence: no answer to them is good."] if bare else []
    if strangers:
        said += [f"{len(strangers):,} rows name gold that is not in their evidence; the first is {strangers[0]}."]
    return said


def _prediction(result: Result) -> Mapping[str, Any]:
    turn, case = result.turn, result.case
    return {
        "id": result.row.id,
        "question": result.row.question,
        "scenario": None if result.row.partial else case.scenario,
        "outcome": turn.outcome,
        "answer": turn.answer,
        "cited": list(result.cited),
        "good": case.good,
        "grounded": case.grounded,
        "sentences": [_told(sentence) for sentence in result.judged.sentences],
        "missing": list(result.reply.missing),
        "confidence": turn.confidence.score,
        "intents": turn.intent.selected,
        "products": [product.id for product in turn.products],
        "gold": {
            "answerable": result.row.answerable,
            "partial": result.row.partial,
            "evidence": result.row.gold_evidence,
        },
    }


def _told(sentence: JudgedSentence) -> Mapping[str, Any]:
    """A sentence with all that a second judge needs to know; it may judge what the first cannot."""
    said = {"text": sentence.text, "factual": sentence.factual, "computed": sentence.computed}
    return said | {"grounded": sentence.grounded, "citations": dict(sentence.citations)}
