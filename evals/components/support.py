"""Support: whether the verifier accepts the claims that their evidence supports, and no others."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evals.metrics.classification import auroc_metric, calibration_metric, classification_metrics
from evals.metrics.texts import without_markers
from evals.report import Evaluation, Metric, Rows, Scored, mean_metric, run_rows, statistic_metric
from evals.row_turns import RowEvidence, evidence_of, shipped_verifier
from evals.rows import Request, Row, read_rows
from graph.draft import Segment, Sentence, Span
from graph.parts import Verification


class Claimed(Row):
    """A claim and what it cites.

    Attributes:
        evidence: Texts, or pieces of evidence with their kind.
        label: Whether they support it.
        group: The part of the data it belongs to.
    """

    id: str
    claim: str
    evidence: list[str | RowEvidence]
    label: bool
    group: str | None = None

    @property
    def sources(self) -> list[RowEvidence]:
        """The evidence; what is only a text is taken for a help article, which no word is allowed for."""
        return [
            RowEvidence(id=f"e{number}", text=item) if isinstance(item, str) else item
            for number, item in enumerate(self.evidence, start=1)
        ]


Verify = Callable[[str, Sequence[RowEvidence]], Verification]
"""From a claim and all that it cites to what the verifier makes of it."""


Judged = Scored[Claimed, Verification]


def load_verifier() -> Verify:
    """The verifier that ships, asked as in a turn: one sentence that cites the whole of each evidence."""
    verifier = shipped_verifier()

    def verify(claim: str, sources: Sequence[RowEvidence]) -> Verification:
        evidence = evidence_of(sources)
        spans = [Span(evidence_id=item.evidence_id, start=0, end=len(item.text)) for item in evidence]
        sentence = Sentence(segments=[Segment(text=claim, spans=spans)])
        return verifier.verify(sentence, {item.evidence_id: item for item in evidence}, None)

    return verify


def evaluate(request: Request, load: Callable[[], Verify] = load_verifier) -> Evaluation:
    """Verify each claim against its evidence, at the threshold that ships.

    `balanced_accuracy`, `macro_f1`, `caught` (unsupported claims rejected) and `wrongly_rejected` (supported claims
    rejected) are of the verdict; `auroc` and `ece` of its support score. Markers in a claim are taken out first: a
    turn's sentence has none when it is verified.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, Claimed, request.split)
    return run_rows(rows, load, judge).evaluation("support", request.data, _metrics, prediction)


def judge(verify: Verify, row: Claimed) -> Verification:
    """Verify a claim, markers taken out, against all that it cites."""
    return verify(without_markers(row.claim), row.sources)


def _metrics(results: Sequence[Judged]) -> dict[str, Metric]:
    labels = [result.row.label for result in results]
    accepted = [result.found.accepted for result in results]
    scores = [result.found.support for result in results]
    metrics = {
        "balanced_accuracy": balanced_accuracy(labels, accepted),
        "macro_f1": classification_metrics(list(map(str, labels)), list(map(str, accepted)))["macro_f1"],
        "auroc": auroc_metric(labels, scores),
        "ece": calibration_metric(scores, labels),
        "caught": mean_metric([not said for label, said in zip(labels, accepted, strict=True) if not label]),
        "wrongly_rejected": mean_metric([not said for label, said in zip(labels, accepted, strict=True) if label]),
    }
    for group in sorted({result.row.group for result in results if result.row.group}):
        own = [result for result in results if result.row.group == group]
        metrics[f"group.{group}.balanced_accuracy"] = balanced_accuracy(
            [result.row.label for result in own], [result.found.accepted for result in own]
        )
    return metrics


def balanced_accuracy(labels: Sequence[bool], accepted: Sequence[bool]) -> Metric:
    """The mean of two shares: supported claims accepted, unsupported ones rejected; null where all are of one kind."""
    gold, said = np.asarray(labels, dtype=np.bool_), np.asarray(accepted, dtype=np.bool_)

    def balanced(drawn: Rows) -> float:
        true, right = gold[drawn], gold[drawn] == said[drawn]
        if true.all() or not true.any():
            return float("nan")
        return float(right[true].mean() + right[~true].mean()) / 2

    return statistic_metric(len(gold), balanced)


def prediction(result: Judged) -> dict[str, Any]:
    """The line of one claim."""
    return {
        "id": result.row.id,
        "support": result.found.support,
        "accepted": result.found.accepted,
        "failing": list(result.found.failing),
        "reasons": list(result.found.reasons),
        "gold": result.row.label,
        "group": result.row.group,
    }
