"""Verbatim: sentences that say nothing but what a cited span says, word for word, or entries of a list."""

import re

from graph.answering.tables import DIVIDER
from graph.language.terms import words
from graph.support.wording import NEGATIONS
from graph.verification.case import Case
from graph.verification.coverage import is_framed, uncovered

_ATTRIBUTE = re.compile(r"[^:\n]{2,60}: \S[^\n]*")
_BOUND = " "


def is_verbatim(case: Case) -> bool:
    """Whether a sentence is a stretch of one cited span, alone or quoted by someone who is named."""
    said = case.said.text
    start, end = said.find("“"), said.rfind("”")
    if 0 <= start < end - 1:
        return is_framed(said[:start] + _BOUND + said[end + 1 :]) and _stands(said[start + 1 : end], case)
    return _stands(said, case)


def _stands(text: str, case: Case) -> bool:
    """Whether words stand side by side in a cited span, and no negation beside them is cut off."""
    run = _plain(text)
    for quote in map(_plain, case.quotes) if run.strip() else ():
        before, found, after = quote.partition(run)
        if found and not NEGATIONS & {*before.split()[-1:], *after.split()[:1]}:
            return True
    return False


def _plain(text: str) -> str:
    """The words of a text between single blanks: marks, capitals and line breaks are no difference."""
    return f"{_BOUND}{_BOUND.join(words(text))}{_BOUND}"


def states_entries(case: Case) -> bool:
    """Whether all that is cited are attributes or rows of tables, and a sentence says no more than they mean."""
    entries = [line for quote in case.quotes for line in quote.splitlines() if line.strip()]
    return all(map(_is_entry, entries)) and not uncovered(case)[0]


def _is_entry(line: str) -> bool:
    return DIVIDER in line or _ATTRIBUTE.fullmatch(line.strip()) is not None
