"""Limits: a figure keeps what it is a limit of, both ends of its range, and the kind of its days."""

import re

from graph.verification.case import Case

_FIGURE = r"[^\w\s]?(\d[\d.,]*)"
_UP = re.compile(
    rf"(?i)\b(?:over|above|more than|at least|exceed\w*|no less than|minimum of|starting at|heavier than) {_FIGURE}"
)
_DOWN = re.compile(rf"(?i)\b(?:under|below|less than|at most|lighter than|shorter than|fewer than) {_FIGURE}")
_LIMIT = re.compile(
    r"(?i)\b(?:over|above|more|least|from|min\w*|exceed\w*|under|below|less|up to|within|max\w*|most|until)\b|[<>≤≥+]"
)
_PAIR = re.compile(r"(?<!\d)(\d[\d.,]{0,20})\s{0,3}(?:to|-|–|x|×|by)\s{0,3}(\d[\d.,]{0,20})(?!\w{0,40}-)")
_SOFTENED = re.compile(r"(?i)\b(?:up to|at most|within|at least|from|as little as|no more than|maximum|minimum)\b")
_DAYS = re.compile(r"(?i)(?<!\d)(\d{1,9})\W{1,5}(working|business|calendar)?\s{0,3}days?\b")


def unlimited_figures(case: Case) -> tuple[str, ...]:
    """Limits of a sentence that what it cites states without one: over 1.9 kg, where it is 1.9 kg."""
    if case.derived or _LIMIT.search(case.cited):
        return ()
    said = case.sentence.text
    return tuple(found[0] for pattern in (_UP, _DOWN) for found in pattern.finditer(said))


def halved_ranges(case: Case) -> tuple[str, ...]:
    """Ranges and sizes of which a sentence tells one figure as if it were all."""
    said = case.sentence.text
    if case.derived or _SOFTENED.search(said):
        return ()
    figures = set(re.findall(r"\d+(?:[.,]\d+)*", said))
    pairs = [tuple(re.sub(r"[.,]$", "", one) for one in found.groups()) for found in _PAIR.finditer(case.cited)]
    elsewhere = set(re.findall(r"\d+(?:[.,]\d+)*", _PAIR.sub(" ", case.cited)))
    return tuple(
        figure
        for one, other in pairs
        if (one in figures) != (other in figures)
        for figure in (one, other)
        if figure in figures and figure not in elsewhere
    )


def exchanged_days(case: Case) -> tuple[str, ...]:
    """Counts of days that are working days in one of sentence and source only."""
    there = {(figure, (kind or "").casefold()) for figure, kind in _DAYS.findall(case.cited)}
    told = [(figure, (kind or "").casefold()) for figure, kind in _DAYS.findall(case.sentence.text)]
    known = {figure for figure, _ in there}
    same = {"business": "working"}
    plain = {(figure, same.get(kind, kind)) for figure, kind in there}
    return tuple(f"{n} {kind}".strip() for n, kind in told if n in known and (n, same.get(kind, kind)) not in plain)
