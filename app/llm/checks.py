"""A running server, tried on what a turn needs of it: each finding says what was seen and, if it fails, what to do."""

from collections.abc import Callable, Iterator
from contextlib import closing

from app.llm.checks_answers import check_grammar, check_schema, check_streaming
from app.llm.checks_cache import check_prefix_cache
from app.llm.checks_endpoint import check_endpoint
from app.llm.client import ServedModel
from app.llm.finding import Finding
from app.llm.options import LlmOptions

FIRST_TOKEN_S, TOTAL_S = 60.0, 90.0
"""A server that has just started compiles on its first request; what is slow is not yet wrong."""


def check_server(options: LlmOptions, needed_context: int) -> Iterator[Finding]:
    """Check a server, one thing after the other; what builds on a thing that failed is not tried.

    Args:
        options: Where it is; `base_url` and `model` must be set.
        needed_context: Tokens that the longest request takes.
    """
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
