"""A running server, tried on what a turn needs of it: each finding says what was seen and, if it fails, what to do."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from app.llm.options import LlmOptions

Status = Literal["passed", "failed", "unknown"]

FIRST_TOKEN_S, TOTAL_S = 60.0, 90.0
"""A server that has just started compiles on its first request; what is slow is not yet wrong."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        name: Of the check.
        status: `unknown` where the endpoint does not tell.
        seen: What came back, in a sentence without its full stop.
        remedy: What to do; empty where nothing is to be done.
    """

    name: str
    status: Status
    seen: str
    remedy: str = ""


def check_server(options: LlmOptions, needed_context: int) -> Iterator[Finding]:
    """Check a server, one thing after the other; what builds on a thing that failed is not tried.

    Args:
        options: Where it is; `base_url` and `model` must be set.
        needed_context: Tokens that the longest request takes.
    """
    from app.llm.checks_answers import check_grammar, check_schema, check_streaming  # noqa: PLC0415 - heavy
    from app.llm.checks_cache import check_prefix_cache  # noqa: PLC0415
    from app.llm.checks_endpoint import check_endpoint  # noqa: PLC0415
    from app.llm.client import ServedModel  # noqa: PLC0415

    failed = False
    for finding in check_endpoint(options, needed_context):
        failed |= finding.status == "failed" and finding.name != "context"
        yield finding
    if failed:
        return
    patient = {"structured": "on", "first_token_s": FIRST_TOKEN_S, "total_s": TOTAL_S, "temperature": 0.0}
    with closing(ServedModel(options.model_copy(update=patient))) as model:
        trials: tuple[Callable[[ServedModel], Finding], ...] = (check_streaming, check_grammar, check_schema)
        for trial in trials:
            yield trial(model)
        yield check_prefix_cache(model, options)
