"""Answers: whether a turn over given evidence answers what that evidence answers, from it, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from evals.metrics.answers import Answerable, JudgedSentence, Result, answer_metrics, judged
from evals.metrics.judges import LexicalJudge
from evals.report import Evaluation, Metric, Scored, run_rows
from evals.row_turns import Ask, load_turns
from evals.rows import Request, read_rows

_JUDGED = "cgr, ccr, psr and grounded_accuracy leave counts and conversions out and are judged by"


def evaluate(request: Request, load: Callable[[], Ask] = load_turns, judge: LexicalJudge | None = None) -> Evaluation:
    """Ask each question of its row's evidence, by the whole graph, as the first turn on its product's page.

    Every intent reads all of the evidence, so that nothing is lost by retrieval. Rows that are `partial` count in
    `partial.answered_rate` alone. `ccov` is the share of questions that the evidence answers. `completeness` is told
    from what the turn itself names as missing, so it is an upper bound. `token_f1` is over answerable questions with
    reference answers, 0 where none was given; `polarity_accuracy` over those whose references say yes or no and that
    were answered; `confidence_auroc` and `confidence_ece` over the answers, a good one being right.

    Raises:
        InputError: The rows cannot be used.
    """
    judge = judge or LexicalJudge()
    rows = read_rows(request.data, Answerable, request.split)
    run = run_rows(rows, load, lambda ask, row: ask(row.asked)).then(partial(judged, judge))
    warnings = [*_warnings(rows), f"{_JUDGED} {judge.name}."]
    return run.evaluation("answers", request.data, _metrics, _prediction, warnings=warnings, judge=judge.name)


def _metrics(results: Sequence[Scored[Answerable, Result]]) -> dict[str, Metric]:
    return answer_metrics([result.found for result in results])


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


def _prediction(scored: Scored[Answerable, Result]) -> Mapping[str, Any]:
    result = scored.found
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
        "sentences": [_told(sentence) for sentence in result.sentences],
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
