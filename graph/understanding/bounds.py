"""Bounds: a figure that a yes/no question compares with ("more than 10", "within 3 days") beside the one stated."""

import math
from collections.abc import Sequence

from graph.draft import YesNo
from graph.language.lexicon import BE, PREPOSITIONS
from graph.language.limits import Bound, Limit, limits_in
from graph.language.locale import phrases
from graph.language.quantities import Joint, Written, counted, quantities, runs
from graph.language.terms import words_of
from graph.language.units import CURRENCIES, TIMES
from ingestion.stems import stem

_COMPARING = frozenset({Bound.ABOVE, Bound.BELOW, Bound.WITHIN, Bound.BEARS})
_BESIDE = PREPOSITIONS - {"of"} | {"if"}
"""Words behind which a figure is no longer what something is."""


def constraint_in(question: str) -> Limit | None:
    """The only figure that a question compares with; None where it compares with none or several."""
    found = [one for one in limits_in(question) if one.quantity.is_number and _compares(one)]
    figures = quantities(question)
    if figures and not any(one.end >= figures[-1].end for one in found) and _is_said(question, figures[-1]):
        last = figures[-1]
        found.append(Limit(Bound.IS, True, last.quantity, "", last.figure, last.start, last.end))  # noqa: FBT003
    return found[0] if len(found) == 1 else None


def _compares(limit: Limit) -> bool:
    return limit.bound in _COMPARING or (limit.bound is Bound.AFTER and limit.quantity.unit in TIMES)


def _is_said(question: str, written: Written) -> bool:
    """Whether a question asks if something is just a figure: a time or a sum at its end, with nothing between."""
    if written.quantity.unit not in TIMES | CURRENCIES or written.end < len(question.rstrip(" ?.!")):
        return False
    before = [word.base for word in words_of(question[: written.start])]
    return not BE.isdisjoint(before[:1]) and _BESIDE.isdisjoint(before)


def decides(limit: Limit, name: str, value: str) -> bool | None:
    """Whether a stated value bears a limit out; None where its figures cannot be compared with it."""
    stated, bears = _stated(value, limit), limit.bound is Bound.BEARS
    if stated is None or (bears and not phrases("maximum").search(f"{name} {value}")):
        return None
    low, high = stated
    ends = {limit.holds(low), limit.holds(high)}
    return ends.pop() if len(ends) == 1 and not low < limit.quantity.number < high else None


def decided_by_all(limit: Limit, statements: Sequence[str]) -> YesNo | None:
    """Yes or no where each of some statements decides a limit, and all alike."""
    found = {decides(limit, "", text) for text in statements}
    return YesNo.of(found == {True}) if found in ({True}, {False}) else None


def _stated(value: str, limit: Limit) -> tuple[float, float] | None:
    """The one range of a value that is of a limit's kind, in its unit."""
    found = {
        (min(told), max(told))
        for run in runs(value, quantities(value), Joint.RANGE, Joint.CHOICE)
        if (told := _told(value, run, limit))
    }
    return found.pop() if len(found) == 1 else None


def _told(value: str, run: Sequence[Written], limit: Limit) -> list[float]:
    """Figures in the unit of a limit, or of what it counts; nothing where they are of another kind."""
    wanted = limit.quantity
    if limit.counted and stem(limit.counted) != stem(counted(value, run[-1])):
        return []
    told = [one.quantity.measured_in(wanted.unit or one.quantity.unit) for one in run]
    # A conversion is not exact to the last bit.
    near = [wanted.number if math.isclose(one, wanted.number) else one for one in told if one is not None]
    return near if len(near) == len(run) else []
