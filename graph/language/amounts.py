"""Amounts: what attribute values measure, made comparable whatever unit each stands in."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.language.negation import opens_with_no
from graph.language.quantities import Quantity, Written, quantities
from graph.language.units import TIMES, in_unit

_ASIDE = re.compile(r"\([^)]{0,300}\)")
_TIMES = re.compile(r"\A\s*[x×]\s*")
_TO = re.compile(r"\A\s*(?:-|–|—|to)\s*")
_OR = re.compile(r"(?i)\A\s*(?:,|/|(?:,\s*)?or)\s*")
_DATE = re.compile(r"\d{4}(?:-\d{2}){1,2}")
_AT_ONCE = re.compile(r"(?i)\bovernight\b")
_WORKING = re.compile(r"(?i)\b(?:business|working|calendar)\s+(?=days?\b)")
_ENDLESS = re.compile(r"(?i)\blife[- ]?time\b")
_OPENING = re.compile(
    r"(?i)\A\W*(?:(?:about|approx\w*|around|up to|down to|at least|at most|max\w*|min\w*|ca|only)\b\W*)?"
)


@dataclass(frozen=True, slots=True)
class Amount:
    """What a value measures.

    Attributes:
        sides: Its figures: one, or those of dimensions such as `42 x 14 cm`.
        unit: Their unit's standard name; None for a bare number.
    """

    sides: tuple[float, ...]
    unit: str | None

    @property
    def timed(self) -> bool:
        """Whether it is a length of time."""
        return self.unit in TIMES

    def measured_in(self, unit: str | None) -> float | None:
        """It in another unit, dimensions multiplied; None where it cannot be told so."""
        if self.unit == unit or math.inf in self.sides:
            return math.prod(self.sides)
        if self.unit is None or unit is None:
            return None
        told = [in_unit(side, self.unit, unit) for side in self.sides]
        return math.prod(side for side in told if side is not None) if None not in told else None


def amount_of(value: str, direction: int = 1) -> Amount | None:
    """What a value measures; None where it measures nothing, or several things.

    Args:
        value: A value as a shop writes it.
        direction: Of what comes in several sizes ("256 GB or 512 GB"), 1 takes the most and -1 the least.
    """
    plain = _ASIDE.sub(" ", value).strip()
    if _DATE.fullmatch(plain):
        return Amount((float(plain.replace("-", "").ljust(8, "0")),), "date")
    found = [one for one in quantities(plain) if one.quantity.value.count(".") <= 1]
    if not found or opens_with_no(plain):
        return None
    sides = _dimensions(plain, found)
    if len(sides) > 1:
        return _amount(sides) if len(sides) == len(found) else None
    opens = _OPENING.fullmatch(plain[: found[0].start].rstrip("$€£-− ")) is not None
    found = _without_ranges(plain, found)
    bare = found[0].quantity.unit is None
    if not opens or (bare and len(found) > 1):
        return None
    return _amount([max(_alternatives(plain, found), key=lambda one: direction * _figure(one.quantity))])


def duration_in(text: str) -> Amount | None:
    """The length of time that a rule states; None where it states none, or several."""
    if _ENDLESS.search(text):
        return Amount((math.inf,), "year")
    if _AT_ONCE.search(text):
        return Amount((1.0,), "day")
    plain = _WORKING.sub("", text)
    return _only(_without_ranges(plain, quantities(plain)), TIMES)


def share_in(text: str) -> Amount | None:
    """The percentage that an offer states; None where it states none, or several."""
    return _only(quantities(text), frozenset({"percent"}))


def comparable(amounts: Sequence[Amount]) -> list[float | None]:
    """Amounts as figures in the unit of most of them; None for those that cannot be told in it."""
    kinds = Counter((len(amount.sides), amount.unit) for amount in amounts if math.inf not in amount.sides)
    if not kinds:
        return [math.inf for _ in amounts]
    (sides, unit), _ = kinds.most_common(1)[0]
    fits = (len(amount.sides) == sides or math.inf in amount.sides for amount in amounts)
    return [amount.measured_in(unit) if fit else None for amount, fit in zip(amounts, fits, strict=True)]


def _only(found: Sequence[Written], units: frozenset[str]) -> Amount | None:
    own = [written for written in found if written.quantity.unit in units]
    return _amount(own) if len(own) == 1 else None


def _amount(found: Sequence[Written]) -> Amount | None:
    return Amount(tuple(_figure(written.quantity) for written in found), found[-1].quantity.unit)


def _figure(quantity: Quantity) -> float:
    return float(quantity.value)


def _dimensions(text: str, found: Sequence[Written]) -> list[Written]:
    """The first figures that are multiplied with each other."""
    sides = [found[0]]
    for one, following in pairwise(found):
        if not _TIMES.fullmatch(text[one.end : following.start]):
            break
        sides.append(following)
    return sides


def _alternatives(text: str, found: Sequence[Written]) -> list[Written]:
    """The first figure, and those that a product comes with instead of it."""
    sizes = [found[0]]
    for one, following in pairwise(found):
        if following.quantity.unit != one.quantity.unit or not _OR.fullmatch(text[one.end : following.start]):
            break
        sizes.append(following)
    return sizes


def _without_ranges(text: str, found: Sequence[Written]) -> list[Written]:
    """The quantities of a text, of a range its upper end alone."""
    ends = [
        following.quantity.unit == one.quantity.unit and _TO.fullmatch(text[one.end : following.start]) is not None
        for one, following in pairwise(found)
    ]
    return [written for written, opens in zip(found, [*ends, False], strict=False) if not opens]


__all__ = ["Amount", "amount_of", "comparable", "duration_in", "share_in"]
