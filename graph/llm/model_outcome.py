"""The first line of a model's answer: how it ends."""

import re
from typing import cast

from graph.llm.stream_events import ModelOutcome

_OUTCOME = re.compile(
    r"outcome\s*[:：]\s*[\"'“<\[]?(clear|ambiguous|no[ _-]?answer)(?!\w)[\"'”>\].,;]*\s*",  # noqa: RUF001 - a full-width colon is meant
    re.IGNORECASE,
)
_MARKDOWN = str.maketrans("", "", "*`")


def outcome_of(line: str) -> tuple[ModelOutcome | None, str]:
    """Read an outcome line, in any case and dress.

    Returns:
        The outcome and what the line says after it; None and the line when it names no outcome.
    """
    match = _OUTCOME.match(line.translate(_MARKDOWN).lstrip("_"))
    if match is None:
        return None, line
    value = re.sub("[ _-]?answer", "_answer", match[1].lower())
    return cast("ModelOutcome", value), line.translate(_MARKDOWN).lstrip("_")[match.end() :]
