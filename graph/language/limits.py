"""Limits: figures that a text holds something to ("under $200", "at least 3 hours", "within 5 days")."""

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from graph.language.locale import alternatives, phrases
from graph.language.quantities import Joint, Quantity, Written, counted, joint_of, quantities
from graph.language.terms import STOPWORDS
from graph.language.units import CURRENCIES


class Bound(StrEnum):
    """What a figure is a limit of; the words for each are a class of phrases of its name."""

    ABOVE = "above"
    """More than it: `over`, `at least`."""
    BELOW = "below"
    """Less than it: `under`, `at most`."""
    WITHIN = "within"
    """A time that is not passed."""
    FROM = "from"
    UP_TO = "up_to"
    AFTER = "after"
    """A time that has passed: `after`, `since`."""
    BEFORE = "before"
    """A time that has not come: `until`, `by`."""
    BEARS = "bears"
    """A load that is borne."""
    IS = "is"
    """The figure itself."""


BEGINS = frozenset({Bound.FROM, Bound.AFTER})
"""Bounds with which something begins."""
ENDS = frozenset({Bound.UP_TO, Bound.BEFORE, Bound.WITHIN})
"""Bounds with which something ends."""
_LEAST = BEGINS | {Bound.ABOVE, Bound.BEARS}


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure that something is held to.

    Attributes:
        bound: What it is a limit of.
        inclusive: Whether the figure itself keeps to it.
        quantity: The figure with its unit.
        counted: What it counts, folded, where it has no unit; empty for nothing.
        said: The words that say so, up to the figure.
        start: Where these begin.
        end: Where they end, the unit and what stands behind it included.
    """

    bound: Bound
    inclusive: bool
    quantity: Quantity
    counted: str
    said: str
    start: int
    end: int

    @property
    def least(self) -> bool:
        """Whether it is the least that there may be, and not the most."""
        return self.bound in _LEAST

    @property
    def compares(self) -> bool:
        """Whether what is stated decides it whatever it is called; a load is borne out by a maximum alone."""
        return self.bound is not Bound.BEARS

    def holds(self, figure: float) -> bool:
        """Whether a figure in the same unit keeps to it."""
        beyond = figure > self.quantity.number if self.least else figure < self.quantity.number
        return (beyond and self.bound is not Bound.IS) or (self.inclusive and figure == self.quantity.number)


def _class(bound: Bound) -> str:
    """The phrases of a bound, with words between a comparative and its "than": `a longer battery life than`."""
    apart = alternatives(bound).replace(r"\s+than", r"(?:\s+[\w'-]{1,40}){0,4}\s+than")
    return f"(?P<{bound}>{apart})"


_BEFORE = re.compile(
    rf"(?i)\b(?:{'|'.join(_class(bound) for bound in Bound if bound is not Bound.IS)})"
    rf"(?:\s+(?:{alternatives('about')}))*\s+[^\w\s]?\s?\Z"
)
_BEHIND = re.compile(rf"(?i)\W{{0,3}}(?:(?P<below>{alternatives('or_less')})|(?P<above>{alternatives('or_more')}))\b")


def limits_in(text: str) -> tuple[Limit, ...]:
    """The limits of a text, in order; a figure that nothing makes one is none."""
    found = quantities(text)
    limits: list[Limit] = []
    end, ends_range = 0, False
    for one, following in zip_longest(found, found[1:]):
        before = _BEFORE.search(text, end, one.start)
        bound = Bound(str(before.lastgroup)) if before else None
        opens_range = following is not None and _is_range(text, one, following, led=bound is Bound.FROM)
        if ends_range:
            limits.append(_limit(text, one, Bound.UP_TO, limits[-1].start, one.end))
        elif opens_range:
            limits.append(_limit(text, one, Bound.FROM, before.start() if before else one.start, following.end))
        elif before and bound:
            limits.append(_limit(text, one, bound, before.start(), one.end))
        elif behind := _BEHIND.match(text, one.end):
            limits.append(_limit(text, one, Bound(str(behind.lastgroup)), one.start, behind.end()))
        end, ends_range = one.end, opens_range and not ends_range
    return tuple(limits)


def _is_range(text: str, one: Written, following: Written, *, led: bool) -> bool:
    """Whether two figures are the ends of what is meant: "between 1 and 2 kg", "$300 to $500"."""
    joint = joint_of(text, one, following)
    return joint in {Joint.RANGE, Joint.LIST} if led else joint is Joint.RANGE and one.quantity.unit in CURRENCIES


def _limit(text: str, written: Written, bound: Bound, start: int, end: int) -> Limit:
    thing = "" if written.quantity.unit else counted(text, written)
    said = text[start : written.start + len(written.figure)]
    return Limit(
        bound=bound,
        inclusive=bound not in {Bound.ABOVE, Bound.BELOW} or phrases("inclusive").search(text, start, end) is not None,
        quantity=written.quantity,
        counted="" if thing in STOPWORDS else thing,
        said=said,
        start=start,
        end=end,
    )
