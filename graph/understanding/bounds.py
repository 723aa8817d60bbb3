"""Bounds: a figure that a yes/no question compares with ("more than 10", "within 3 days") beside the one stated."""

import math
import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph.draft import YesNo
from graph.language.lexicon import BE, PREPOSITIONS
from graph.language.locale import alternatives, phrases
from graph.language.quantities import Joint, Quantity, Written, counted, quantities, runs
from graph.language.terms import STOPWORDS
from graph.language.units import CURRENCIES, TIMES
from graph.language.words import words_of
from ingestion.stems import stem


class Relation(StrEnum):
    """How a question compares with a figure."""

    MORE = "more"
    LESS = "less"
    AFTER = "after"
    """A time that has passed."""
    HOLDS = "holds"
    """A load that is borne."""
    IS = "is"
    """The figure itself."""


def _apart(name: str) -> str:
    """A class of phrases, with words between a comparative and its "than": `a longer battery life than`."""
    return alternatives(name).replace(r"\s+than", r"(?:\s+[\w'-]{1,40}){0,4}\s+than")


_COMPARED = re.compile(
    rf"(?i)\b(?:(?P<more>{_apart('above')})|(?P<less>{_apart('below')}|{alternatives('within')})"
    rf"|(?P<after>after)|(?P<holds>{alternatives('bears')}))(?:\s+(?:{alternatives('about')}))*\s+[^\w\s]?\s?\Z"
)
_BESIDE = PREPOSITIONS - {"of"} | {"if"}
"""Words behind which a figure is no longer what something is."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A figure that a question compares with.

    Attributes:
        relation: How it compares.
        inclusive: Whether the figure itself still fits.
        quantity: The figure with its unit.
        counted: The stem of what it counts, where it has no unit; empty for nothing.
        text: The words that say so.
    """

    relation: Relation
    inclusive: bool
    quantity: Quantity
    counted: str
    text: str

    @property
    def compares(self) -> bool:
        """Whether what is stated decides it whatever it is called; a load is borne out by a maximum alone."""
        return self.relation is not Relation.HOLDS


def constraint_in(question: str) -> Constraint | None:
    """The only figure that a question compares with; None where it compares with none or several."""
    found = list(_constraints(question))
    return found[0] if len(found) == 1 else None


def decides(constraint: Constraint, name: str, value: str) -> bool | None:
    """Whether a stated value bears a constraint out; None where its figures cannot be compared with it."""
    stated, figure = _stated(value, constraint), constraint.quantity.number
    if stated is None:
        return None
    low, high = stated
    match constraint.relation:
        case Relation.IS:
            return None if low < figure < high else low == figure == high
        case Relation.HOLDS if not phrases("maximum").search(f"{name} {value}"):
            return None
        case Relation.AFTER | Relation.HOLDS:
            return figure <= low
        case Relation.MORE:
            beyond = operator.ge if constraint.inclusive else operator.gt
        case Relation.LESS:
            beyond = operator.le if constraint.inclusive else operator.lt
    ends = {beyond(low, figure), beyond(high, figure)}
    return ends.pop() if len(ends) == 1 else None


def decided_by_all(constraint: Constraint, statements: Sequence[str]) -> YesNo | None:
    """Yes or no where each of some statements decides a constraint, and all alike."""
    found = {decides(constraint, "", text) for text in statements}
    return YesNo.of(found == {True}) if found in ({True}, {False}) else None


def _constraints(question: str) -> Iterator[Constraint]:
    """The figures that a question compares with, in order."""
    end = 0
    for written in quantities(question):
        found = _COMPARED.search(question, end, written.start)
        end = written.end
        timed = written.quantity.unit in TIMES
        if not written.quantity.is_number:
            continue
        if found and (timed or not found["after"]):
            relation = Relation(str(found.lastgroup))
            reached = phrases("inclusive").search(found[0]) is not None
            inclusive = reached or relation in {Relation.AFTER, Relation.HOLDS}
            yield _constraint(question, found.start(), written, relation, inclusive=inclusive)
        elif _is_said(question, written):
            yield _constraint(question, written.start, written, Relation.IS, inclusive=True)


def _constraint(text: str, start: int, written: Written, relation: Relation, *, inclusive: bool) -> Constraint:
    thing = "" if written.quantity.unit else counted(text, written)
    return Constraint(
        relation=relation,
        inclusive=inclusive,
        quantity=written.quantity,
        counted="" if thing in STOPWORDS else stem(thing),
        text=text[start : written.end],
    )


def _is_said(question: str, written: Written) -> bool:
    """Whether a question asks if something is just a figure: a time or a sum at its end, with nothing between."""
    if written.quantity.unit not in TIMES | CURRENCIES or written.end < len(question.rstrip(" ?.!")):
        return False  # of many figures the last alone is read further
    before = [word.base for word in words_of(question[: written.start])]
    return not BE.isdisjoint(before[:1]) and _BESIDE.isdisjoint(before)


def _stated(value: str, constraint: Constraint) -> tuple[float, float] | None:
    """The one range of a value that is of a constraint's kind, in its unit."""
    found = {
        (min(told), max(told))
        for run in runs(value, quantities(value), Joint.RANGE, Joint.CHOICE)
        if (told := _told(value, run, constraint))
    }
    return found.pop() if len(found) == 1 else None


def _told(value: str, run: Sequence[Written], constraint: Constraint) -> list[float]:
    """Figures in the unit of a constraint, or of what it counts; nothing where they are of another kind."""
    wanted = constraint.quantity
    if constraint.counted and constraint.counted != stem(counted(value, run[-1])):
        return []
    told = [one.quantity.measured_in(wanted.unit or one.quantity.unit) for one in run]
    # A conversion is not exact to the last bit.
    near = [wanted.number if math.isclose(one, wanted.number) else one for one in told if one is not None]
    return near if len(near) == len(run) else []
