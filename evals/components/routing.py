"""Routing: whether a message asks something to look up, and whether it asks for a person."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from evals.report import Evaluation, Metric, Scored, mean_metric, run_rows
from evals.rows import Message, Request, Row, read_rows
from evals.written_conversations import ReadQuestion, rewritten
from graph.parts import Rewrite


class Routed(Row):
    """A message, what was said before it, and where it belongs.

    Attributes:
        searchable: There is a question to look up.
        live_agent: The user wants a person.
    """

    id: str
    history: list[Message] = Field(default_factory=list)
    text: str
    searchable: bool
    live_agent: bool


def evaluate(request: Request, read: ReadQuestion = rewritten) -> Evaluation:
    """Read the flags of each message.

    `searchable_accuracy` and `both_accuracy`, both flags right at once, are over all rows; `live_agent_precision` is
    over the rows where a person is read to be wanted, `live_agent_recall` over those where one is.

    Raises:
        InputError: The rows cannot be used.
    """
    rows = read_rows(request.data, Routed, request.split)
    run = run_rows(rows, lambda: read, lambda asked, row: asked(row.history, row.text, ()))
    return run.evaluation("routing", request.data, _metrics, _prediction)


def _metrics(results: Sequence[Scored[Routed, Rewrite]]) -> dict[str, Metric]:
    said = [(result.row, result.found) for result in results]
    searchable = [row.searchable == found.searchable for row, found in said]
    live_agent = [row.live_agent == found.live_agent for row, found in said]
    return {
        "searchable_accuracy": mean_metric(searchable),
        "live_agent_precision": mean_metric([row.live_agent for row, found in said if found.live_agent]),
        "live_agent_recall": mean_metric([found.live_agent for row, found in said if row.live_agent]),
        "both_accuracy": mean_metric([one and other for one, other in zip(searchable, live_agent, strict=True)]),
    }


def _prediction(result: Scored[Routed, Rewrite]) -> dict[str, Any]:
    row, found = result.row, result.found
    return {
        "id": row.id,
        "text": row.text,
        "searchable": found.searchable,
        "live_agent": found.live_agent,
        "gold": {"searchable": row.searchable, "live_agent": row.live_agent},
    }
