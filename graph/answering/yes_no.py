"""The yes or no before what is quoted, where the evidence decides it."""

import re

from graph.answering.parsed_clause import ParsedClause
from graph.parts import Reader

SURE = 0.75
"""Probability from which on yes or no is said: on shops unknown to the reader seven in eight are then right."""
_OR_NOT = re.compile(r"(?i)(?:,\s*|(?<!\s)\s*)\bor (?:not|no)\b")
_EITHER = re.compile(r"(?i)\bor\b(?!\s+(?:so|more|older|up|over)\b)")


def verdict_of(asked: ParsedClause, passage: str, reader: Reader) -> str | None:
    """`Yes.` or `No.` where a passage decides a yes/no clause surely enough; None where it does not.

    What leaves a choice ("wood or plastic?"), denies something itself or holds on a condition ("if it was opened") is
    left to the words of the source.

    Args:
        asked: The clause.
        passage: Behind what names its source.
        reader: Reads both together.
    """
    if not asked.yes_no or asked.conditional or asked.negated or _EITHER.search(_OR_NOT.sub("", asked.text)):
        return None
    [found] = reader.judge([(asked.text, passage)])
    return "Yes." if found.yes >= SURE else "No." if found.no >= SURE else None
