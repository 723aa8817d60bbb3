"""Swaps: whether the verifier tells a shop's true sentences from the same with one thing changed."""

from collections.abc import Callable, Sequence

from evals.components.support import Claimed, Judged, Verify, judge, load_verifier, prediction
from evals.report import Evaluation, Metric, mean_metric
from evals.rows.reading import MissingDataError, NoSplitError, Request
from evals.rows.scoring import run_rows
from evals.shops.swaps import TRUE, support_rows, swaps_of_shop


def evaluate(request: Request, load: Callable[[], Verify] = load_verifier) -> Evaluation:
    """Make sentences from a shop's files and verify each, at the threshold that ships.

    `caught` is the share of changed sentences that are rejected, of all and of each kind; `wrongly_rejected` that of
    true ones.

    Raises:
        MissingDataError: There is no such shop.
        NoSplitError: A split was asked for.
    """
    if request.split is not None:
        raise NoSplitError(component="swaps")
    if not request.data.exists():
        raise MissingDataError(request.data)
    rows = [Claimed.model_validate(row) for row in support_rows(swaps_of_shop(request.data))]
    return run_rows(rows, load, judge).evaluation("swaps", request, _metrics, prediction)


def _metrics(results: Sequence[Judged]) -> dict[str, Metric]:
    true = [result for result in results if result.row.group == TRUE]
    changed = [result for result in results if result.row.group != TRUE]
    metrics = {"caught": _rejected(changed), "wrongly_rejected": _rejected(true)}
    for kind in sorted({result.row.group or "" for result in changed}):
        metrics[f"group.{kind}.caught"] = _rejected([result for result in changed if result.row.group == kind])
    return metrics


def _rejected(results: Sequence[Judged]) -> Metric:
    return mean_metric([not result.found.accepted for result in results])
