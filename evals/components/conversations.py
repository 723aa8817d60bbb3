"""Whole conversations: how many turns and conversations hold, and where the others go wrong."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from app.errors import InputError
from evals.conversations.fixtures import load_fixtures
from evals.conversations.replay import ConversationResult, Replayer, TurnResult, replaying
from evals.conversations.replay_output import CELLS, GOOD, Cell, confusion_cell, failure_to_json
from evals.report import Evaluation, Metric, Report, latency, mean_metric
from evals.rows import Request

OpenReplayer = Callable[[str | None], AbstractContextManager[Replayer]]


def evaluate(request: Request, open_replayer: OpenReplayer = replaying) -> Evaluation:
    """Replay fixtures and score their turns.

    Turns of which nothing is expected are asked and not scored.

    Raises:
        InputError: There is nothing at the path, or a split was asked for.
        MalformedFixturesError: A fixture cannot be understood.
    """
    if request.split is not None:
        message = "The data of conversations has no splits. Leave --split out."
        raise InputError(message)
    if not request.data.exists():
        message = f"{request.data} does not exist. Name the rows to evaluate on with --data."
        raise InputError(message)
    fixtures = load_fixtures([request.data])
    start = time.perf_counter()
    with open_replayer(request.index) as replayer:
        results = [replayer.run(file, conversation) for file, conversation in fixtures.items()]
    scored = [(result, turn) for result in results for turn in result.turns if _counts(turn)]
    return Evaluation(
        report=Report(
            component="conversations",
            data=str(request.data),
            n=len(scored),
            skipped=Counter(result.skipped for result in results if result.skipped),
            config_hash=_joined(scored, "config_hash"),
            generation=_joined(scored, "generation"),
            metrics=_metrics(results, [turn for _, turn in scored]),
            latency_ms=latency([turn.ms for result in results for turn in result.turns]),
            seconds=round(time.perf_counter() - start, 3),
        ),
        predictions=[_prediction(result, turn) for result, turn in scored],
    )


def _counts(turn: TurnResult) -> bool:
    return bool(turn.asked.expect.model_fields_set or turn.failures)


def _metrics(results: Sequence[ConversationResult], turns: Sequence[TurnResult]) -> dict[str, Metric]:
    cells = [_cell(turn) for turn in turns]
    return {
        "turn_pass_rate": mean_metric([not turn.failures for turn in turns]),
        "conversation_pass_rate": mean_metric([not result.failures for result in results if not result.skipped]),
        "e2e_accuracy": mean_metric([cell in GOOD for cell in cells]),
        **{f"confusion.{name}": mean_metric([cell == name for cell in cells]) for name in CELLS},
    }


def _cell(turn: TurnResult) -> Cell:
    return confusion_cell(turn.asked.expect, turn.turn, turn.failures)


def _joined(scored: Sequence[tuple[ConversationResult, TurnResult]], name: str) -> str:
    """The value of all turns; where fixtures use several indexes, all of them."""
    return ", ".join(sorted({str(getattr(turn.turn, name)) for _, turn in scored if turn.turn}))


def _prediction(result: ConversationResult, turn: TurnResult) -> dict[str, Any]:
    return {
        "conversation": result.name,
        "file": str(result.file),
        "turn": turn.number,
        "said": turn.said,
        "cell": _cell(turn),
        "passed": not turn.failures,
        "failures": [failure_to_json(failure) for failure in turn.failures],
        "result": turn.turn.model_dump(mode="json") if turn.turn else None,
    }
