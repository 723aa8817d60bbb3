"""Rewriting: standalone questions against those that people wrote."""

from collections.abc import Sequence
from typing import Any

from evals.metrics.texts import bleu_metric, exact_match, rouge1_recall, token_f1
from evals.report import Evaluation, Metric, Scored, mean_metric, run_rows
from evals.rows import Request, RewritingRow, read_rows
from evals.written_conversations import ReadQuestion, rewritten
from graph.parts import Rewrite

Rewritten = Scored[RewritingRow, Rewrite]
"""A question and what was made of it."""


def evaluate(request: Request, read: ReadQuestion = rewritten) -> Evaluation:
    """Rewrite the last question of each conversation and compare it with what people wrote.

    The figures are over all rows; with `needs_rewrite.` over those where the words of the question are those of no gold
    question, with `copy.` over the others; with `turn1.` over those without history, with `later.` over the others.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, RewritingRow, request.split)
    run = run_rows(rows, lambda: read, lambda asked, row: asked(row.history, row.query, row.context))
    return run.evaluation("rewriting", request.data, _metrics, _prediction)


def _needs_rewrite(row: RewritingRow) -> bool:
    """Whether people changed its words."""
    return not exact_match(row.query, row.gold)


def _metrics(results: Sequence[Rewritten]) -> dict[str, Metric]:
    parts = {
        "": results,
        "needs_rewrite.": [result for result in results if _needs_rewrite(result.row)],
        "copy.": [result for result in results if not _needs_rewrite(result.row)],
        "turn1.": [result for result in results if not result.row.history],
        "later.": [result for result in results if result.row.history],
    }
    return {prefix + name: metric for prefix, part in parts.items() for name, metric in _figures(part).items()}


def _figures(results: Sequence[Rewritten]) -> dict[str, Metric]:
    pairs = [(result.found.standalone_query, result.row.gold) for result in results]
    return {
        "exact_match": mean_metric([exact_match(*pair) for pair in pairs]),
        "token_f1": mean_metric([token_f1(*pair) for pair in pairs]),
        "rouge1_recall": mean_metric([rouge1_recall(*pair) for pair in pairs]),
        "bleu": bleu_metric([rewrite for rewrite, _ in pairs], [gold[0] for _, gold in pairs]),
    }


def _prediction(result: Rewritten) -> dict[str, Any]:
    row, rewrite = result.row, result.found.standalone_query
    return {
        "id": row.id,
        "query": row.query,
        "rewrite": rewrite,
        "gold": row.gold,
        "token_f1": round(token_f1(rewrite, row.gold), 6),
    }
