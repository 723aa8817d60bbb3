"""Derivation: what an answer computed comes out the same when it is computed again."""

from graph.language.quantities import Quantity, quantities
from graph.language.units import in_unit
from graph.turn import Derived
from graph.verification.case import Case

SCALE = 5
"""Stars a review can give."""
_ROUNDING = 0.06
"""A mean is told to a tenth."""
_TOLERANCE = 0.03
"""A conversion is rounded for reading: this share of its value may be lost."""


def wrongly_computed(case: Case) -> tuple[str, ...]:
    """The computed values of a sentence that its sources do not give."""
    return tuple(plain(one.value) for one in case.derived if not _recomputes(one, case))


def computed_quantities(case: Case) -> list[Quantity]:
    """Figures that a sentence may tell because they were computed for it."""
    counts = [len(one.of) for one in case.derived if one.op == "count"]
    told = [plain(one.value) for one in case.derived] + [str(len(one.of)) for one in case.derived]
    if case.derived:
        told += [str(sum(counts)), str(SCALE)]
    return [written.quantity for text in told for written in quantities(text)]


def plain(value: float | str) -> str:
    """A computed value as a sentence writes it."""
    return value if isinstance(value, str) else f"{value:g}"


def _recomputes(derived: Derived, case: Case) -> bool:
    if len(set(derived.of)) != len(derived.of):
        return False
    if derived.op == "count":
        return derived.value == len(derived.of)
    if derived.op == "mean":
        ratings = [case.evidence[key].rating for key in derived.of if key in case.evidence]
        known = [rating for rating in ratings if rating is not None]
        whole = len(known) == len(derived.of) > 0
        return whole and abs(sum(known) / len(known) - float(derived.value)) <= _ROUNDING
    if derived.op == "convert":
        return _converts(str(derived.value), case)
    return _differs(derived, case)


def _converts(value: str, case: Case) -> bool:
    """Whether a value is a cited quantity in another unit."""
    told = [written.quantity for written in quantities(value)]
    cited = [written.quantity for written in quantities(case.cited)]
    return bool(told) and all(any(_same(one, other) for other in cited) for one in told)


def _same(one: Quantity, other: Quantity) -> bool:
    if one.unit is None or other.unit is None:
        return False
    figure = in_unit(float(other.value), other.unit, one.unit)
    return figure is not None and abs(figure - float(one.value)) <= max(_TOLERANCE * abs(figure), _ROUNDING)


def _differs(derived: Derived, case: Case) -> bool:
    """Whether a value lies between two cited figures of one unit."""
    told = [written.quantity for written in quantities(plain(derived.value))]
    cited = [written.quantity for written in quantities(case.cited)]
    gaps = [
        (abs(float(one.value) - float(other.value)), one.unit)
        for one in cited
        for other in cited
        if one.unit == other.unit and _is_number(one.value) and _is_number(other.value)
    ]
    return bool(told) and all(
        any(abs(float(one.value) - gap) <= _TOLERANCE * gap and one.unit in {unit, None} for gap, unit in gaps)
        for one in told
    )


def _is_number(value: str) -> bool:
    return value.count(".") <= 1
