"""Rewriting: whether a question that leans on its conversation comes out as people would say it alone."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from evals.metrics.rewriting import bleu_metric, exact_match, rouge1_recall, token_f1
from evals.report import Evaluation, Metric, mean_metric
from evals.rows.reading import Message, Request, Row, read_rows
from evals.rows.scoring import Scored, run_rows
from evals.rows.written_conversations import rewritten

if TYPE_CHECKING:
    from evals.rows.written_conversations import ModelReadings


class RewritingRow(Row):
    """A question, what was said before it, and how people say it alone.

    Attributes:
        gold: Standalone questions; the likest one counts, for BLEU the first.
        context: Titles of the open page.
    """

    id: str
    query: str
    history: list[Message] = Field(default_factory=list)
    gold: list[str] = Field(min_length=1)
    context: list[str] = Field(default_factory=list)


StandaloneQuery = Callable[[Sequence[Message], str, Sequence[str]], str]
"""From the history, the question and the titles of the open page to the standalone question."""


Rewritten = Scored[RewritingRow, str]
"""A question and what was made of it."""


def standalone_queries() -> StandaloneQuery:
    """The rewriter that ships."""
    return lambda history, query, context: rewritten(history, query, context).standalone_query


def open_readings() -> "ModelReadings":
    """The endpoint of the settings.

    Raises:
        NoModelError: The settings name none.
    """
    from evals.rows.written_conversations import model_readings  # noqa: PLC0415 - heavy

    return model_readings()


def evaluate(
    request: Request,
    load: Callable[[], StandaloneQuery] = standalone_queries,
    open_model: Callable[[], "ModelReadings"] = open_readings,
) -> Evaluation:
    """Rewrite the last question of each conversation and compare it with what people wrote.

    The figures are over all rows; with `needs_rewrite.` over those where the words of the question are those of no gold
    question, with `copy.` over the others; with `turn1.` over those without history, with `later.` over the others.

    Raises:
        InputError: The rows cannot be used.
        NoModelError: A served model is to read them and the settings name none.
    """
    rows = read_rows(request.data, RewritingRow, request.split)
    if request.rewriter == "local":
        return run_rows(rows, load, _rewritten).evaluation("rewriting", request, _metrics, _prediction)
    readings = open_model()
    run = run_rows(rows, lambda: lambda *asked: readings(*asked).standalone_query, _rewritten)
    return run.evaluation("rewriting", request, _metrics, _prediction, llm=readings.use(len(rows)))


def _rewritten(rewrite: StandaloneQuery, row: RewritingRow) -> str:
    return rewrite(row.history, row.query, row.context)


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
    pairs = [(result.found, result.row.gold) for result in results]
    return {
        "exact_match": mean_metric([exact_match(*pair) for pair in pairs]),
        "token_f1": mean_metric([token_f1(*pair) for pair in pairs]),
        "rouge1_recall": mean_metric([rouge1_recall(*pair) for pair in pairs]),
        "bleu": bleu_metric([rewrite for rewrite, _ in pairs], [gold[0] for _, gold in pairs]),
    }


def _prediction(result: Rewritten) -> dict[str, Any]:
    row = result.row
    return {
        "id": row.id,
        "query": row.query,
        "rewrite": result.found,
        "gold": row.gold,
        "token_f1": round(token_f1(result.found, row.gold), 6),
    }
