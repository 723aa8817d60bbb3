"""Clarify: whether a turn answers, asks back, or says that it does not know, as people would."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import Field

from evals.metrics.classification import classification_metrics
from evals.report import Evaluation, Metric, Scored, mean_metric, run_rows
from evals.row_turns import Ask, RowEvidence, RowProduct, RowQuestion, load_turns
from evals.rows import Message, Request, Row, read_rows
from graph.turn import Turn

Label = Literal["answer", "clarify", "no-answer"]


class ClarifyRow(Row):
    """A question in its conversation, the evidence there is, and what should be done.

    Attributes:
        label: What most annotators would do.
        labels: What any of them would; `label` alone where it is empty.
    """

    id: str
    history: list[Message] = Field(default_factory=list)
    query: str
    label: Label
    labels: list[Label] = Field(default_factory=list)
    evidence: list[RowEvidence] = Field(default_factory=list)
    product: RowProduct | None = None


def label_of(turn: Turn) -> Label:
    """What a turn did: a question back counts also beside an answer, cited products as an answer to browsing."""
    if turn.outcome == "ambiguous" or turn.clarification is not None:
        return "clarify"
    answers = turn.outcome == "clear" or (turn.outcome == "non_decision" and bool(turn.citations))
    return "answer" if answers else "no-answer"


def evaluate(request: Request, load: Callable[[], Ask] = load_turns) -> Evaluation:
    """Hold the last turn of each conversation over the row's evidence, by the whole graph.

    `accuracy` counts what any annotator would do as right; precision, recall and `macro_f1`, over the labels that
    occur, are against `label`.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, ClarifyRow, request.split)
    return run_rows(rows, load, _told).evaluation("clarify", request.data, _metrics, _prediction)


def _told(ask: Ask, row: ClarifyRow) -> Turn:
    return ask(RowQuestion(row.query, row.evidence, row.product, row.history)).turn


def _metrics(results: Sequence[Scored[ClarifyRow, Turn]]) -> dict[str, Metric]:
    gold, said = [result.row.label for result in results], [label_of(result.found) for result in results]
    rows = [(result.row.labels or [result.row.label], label) for result, label in zip(results, said, strict=True)]
    asked_back = [label == "clarify" for label in said]
    should = [label == "clarify" for label in gold]
    return {
        "clarify_precision": mean_metric([right for right, done in zip(should, asked_back, strict=True) if done]),
        "clarify_recall": mean_metric([done for right, done in zip(should, asked_back, strict=True) if right]),
        "macro_f1": classification_metrics(gold, said)["macro_f1"],
        "accuracy": mean_metric([label in labels for labels, label in rows]),
    }


def _prediction(result: Scored[ClarifyRow, Turn]) -> dict[str, Any]:
    return {
        "id": result.row.id,
        "query": result.row.query,
        "label": label_of(result.found),
        "outcome": result.found.outcome,
        "answer": result.found.answer,
        "gold": result.row.label,
    }
