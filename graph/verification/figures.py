"""Figures: every number of a sentence stands in its source, with its unit and limit; what is computed recomputes."""

import calendar
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from graph.language.limits import BEGINS, ENDS, Bound
from graph.language.locale import phrases, word_class
from graph.language.quantities import Joint, Quantity, Written, counted, quantities, runs
from graph.language.terms import name_pattern
from graph.language.units import unit_of
from graph.parts import Verdict
from graph.turn import Derived
from graph.verification.claim import SAME_MATTER, Case, Check, Claim, read
from ingestion.stems import stem

_STAR = "star"


def unfound_figures(case: Case) -> tuple[str, ...]:
    """The figures and units of a sentence that no cited span says.

    A figure inside a name that stands above the cited words, such as that of the product, is part of the name. A number
    word without a unit may count what the source lists; it is unfound where the source counts the same otherwise.
    """
    there = [*_read(_without_names(case.cited, case)), *_computed(case)]
    text = _without_names(case.said, case)
    said = quantities(text)
    units: dict[str, set[str | None]] = defaultdict(set)
    for one in there:
        units[one.value].add(one.unit)
    failing = []
    for written in said:
        same = units.get(written.quantity.value)
        if not same and (_in_digits(written) or _counted_otherwise(counted(text, written), case.cited)):
            failing.append(written.figure)
        elif same and not _with_unit(written, same, case):
            failing.append(f"{written.figure} {written.unit}")
    return tuple(failing) or _exchanged(said, there, case)


def _exchanged(said: Sequence[Written], there: Sequence[Quantity], case: Case) -> tuple[str, ...]:
    """Figures of which the source has fewer, where it says the sentence with as many figures: "5 to 5" for "3 to 5"."""
    if case.derived or len(said) != len(there) or case.told.covers(case.said) < SAME_MATTER:
        return ()
    left = Counter(one.value for one in there)
    left.subtract(written.quantity.value for written in said)
    return tuple(dict.fromkeys(written.figure for written in said if left[written.quantity.value] < 0))


def _in_digits(written: Written) -> bool:
    return written.figure[0].isdigit() or written.quantity.unit is not None


def _with_unit(written: Written, same: Collection[str | None], case: Case) -> bool:
    """Whether a figure has its unit there too; one whose unit stands apart from it, as in a table, has it by that.

    Args:
        written: The figure.
        same: The units that the same figure has there.
        case: What is judged.
    """
    unit = written.quantity.unit
    if unit is None or unit in same:
        return True
    if None not in same:
        return False
    apart = {unit_of(token.text) for token in case.told.tokens}
    return unit in apart or (unit == _STAR and any(item.rating is not None for item in case.items))


def _counted_otherwise(thing: str, cited: Claim) -> bool:
    """Whether the cited words have a number of a thing."""
    return bool(thing) and any(stem(thing) == stem(counted(cited.text, one)) for one in cited.quantities)


def _without_names(claim: Claim, case: Case) -> str:
    """A text with blanks for the names that stand above the cited words or are the product's."""
    text = claim.text
    for called in sorted(case.names, key=len, reverse=True):
        text = name_pattern(called).sub(lambda found: " " * len(found[0]), text)
    for name in read(text).names:
        if len(name) > 1 and case.above.has(name) and not case.above.goes_on(name):
            text = text[: name[0].start] + " " * (name[-1].end - name[0].start) + text[name[-1].end :]
    return text


_CALENDAR = {name.casefold(): ("month", number) for number, name in enumerate(calendar.month_name) if name}
_CALENDAR |= {name.casefold(): ("day", number) for number, name in enumerate(calendar.day_name)}
_CALENDAR |= {name[:length]: date for name, date in _CALENDAR.items() for length in (3, 4)}
_CALENDAR |= {f"{name}s": date for name, date in _CALENDAR.items()}
"""Names of months and days, in short and of several, to what they mean."""
_TIMES = word_class("times")
_ORDINALS = frozenset("st nd rd th".split())
_ISO = re.compile(r"\b\d{4}-(\d\d)-\d\d\b")


def unfound_dates(case: Case) -> tuple[str, ...]:
    """The months and days of a sentence that no cited span says."""
    there = {_CALENDAR[word] for word in case.told.words if word in _CALENDAR}
    there |= {("month", int(month)) for month in _ISO.findall(case.told.text)}
    told = (place for place, word in enumerate(case.said.words) if word in _CALENDAR and _CALENDAR[word] not in there)
    return tuple(case.said.written(case.said.tokens[place:][:1]) for place in told if _tells_date(case.said, place))


def _tells_date(said: Claim, place: int) -> bool:
    """Whether a word such as "May" or "Sun" tells a date: it does only beside a figure or a word of time."""
    if not said.tokens[place].capital:
        return False
    before = next((word for word in reversed(said.words[max(place - 2, 0) : place]) if word not in _ORDINALS), "")
    behind = next(iter(said.words[place + 1 : place + 2]), "")
    return before in _TIMES or before[:1].isdigit() or behind[:1].isdigit()


_LIMITS, _SOFTENED = phrases("limits"), phrases("softened")
_LIMITING_SIGNS = "<>≤≥+"
_DAY = "day"


def unlimited_figures(case: Case) -> tuple[str, ...]:
    """Limits of a sentence that what it cites states without one: over 1.9 kg, where it is 1.9 kg."""
    if case.derived or _LIMITS.search(case.cited.text) or any(sign in case.cited.text for sign in _LIMITING_SIGNS):
        return ()
    return tuple(one.said for one in case.said.limits if one.bound in {Bound.ABOVE, Bound.BELOW})


def turned_limits(case: Case) -> tuple[str, ...]:
    """Words by which a sentence has something begin on a day on which it ends."""
    there = {one.bound for one in case.cited.limits}
    if ENDS.isdisjoint(there) or not BEGINS.isdisjoint(there):
        return ()
    return tuple(one.said for one in case.said.limits if one.bound in BEGINS)


def halved_ranges(case: Case) -> tuple[str, ...]:
    """Ranges and sizes of which a sentence tells one figure as if it were all."""
    if case.derived or _SOFTENED.search(case.said.text):
        return ()
    told = _values(case.said.quantities)
    stated = [_values(run) for run in runs(case.cited.text, case.cited.quantities, Joint.RANGE, Joint.PRODUCT)]
    alone = {value for values in stated if len(values) == 1 for value in values}
    return tuple(value for values in stated if not values <= told for value in sorted(values & told - alone))


def exchanged_days(case: Case) -> tuple[str, ...]:
    """Counts of days that are working days in one of sentence and source only."""
    there, told = ([one for one in claim.quantities if one.quantity.unit == _DAY] for claim in (case.cited, case.said))
    known = {(one.quantity.value, one.working) for one in there}
    return tuple(
        f"{one.figure} {one.unit}"
        for one in told
        if one.quantity.value in _values(there) and (one.quantity.value, one.working) not in known
    )


def _values(found: Iterable[Written]) -> set[str]:
    return {one.quantity.value for one in found}


SCALE = 5
"""Stars a review can give."""


def wrongly_computed(case: Case) -> tuple[str, ...]:
    """The computed values of a sentence that its sources do not give."""
    return tuple(plain(one.value) for one in case.derived if not _recomputes(one, case))


def _computed(case: Case) -> list[Quantity]:
    """Figures that a sentence may tell because they were computed for it."""
    counts = [len(one.of) for one in case.derived if one.op == "count"]
    told = [plain(one.value) for one in case.derived] + [str(len(one.of)) for one in case.derived]
    if case.derived:
        told += [str(sum(counts)), str(SCALE)]
    return [one for text in told for one in _read(text)]


def plain(value: float | str) -> str:
    """A computed value as a sentence writes it."""
    return value if isinstance(value, str) else f"{value:g}"


def _recomputes(derived: Derived, case: Case) -> bool:
    """Whether a value comes out again; what is no whole number is told to a tenth."""
    if len(set(derived.of)) != len(derived.of):
        return False
    if derived.op == "count":
        return derived.value == len(derived.of)
    if derived.op == "mean":
        ratings = [case.evidence[key].rating for key in derived.of if key in case.evidence]
        known = [rating for rating in ratings if rating is not None]
        whole = len(known) == len(derived.of) > 0
        return whole and round(sum(known) / len(known), 1) == float(derived.value)
    return derived.op == "convert" and _converts(str(derived.value), case)


def _converts(value: str, case: Case) -> bool:
    """Whether a value is a cited quantity in another unit."""
    told, cited = _read(value), _read(case.cited.text)
    return bool(told) and all(any(_same(one, other) for other in cited) for one in told)


def _same(one: Quantity, other: Quantity) -> bool:
    figure = other.measured_in(one.unit) if one.unit and other.unit else None
    return figure is not None and round(figure, 1) == one.number


def _read(text: str) -> list[Quantity]:
    return [written.quantity for written in quantities(text)]


_TAIL = re.compile(r", the (?:\w+ ){1,3}of the \d+(?: [^.]{0,300})?\.?$")


def without_ranking(case: Case) -> str:
    """The sentence without the words that only rank what it tells among those counted: no source says them."""
    counts = any(one.op == "count" for one in case.derived)
    return _TAIL.sub(".", case.said.text) if counts else case.said.text


CHECKS = (
    Check(Verdict.FIGURES, unfound_figures),
    Check(Verdict.FIGURES, unfound_dates),
    Check(Verdict.COMPUTED, wrongly_computed),
    Check(Verdict.FIGURES, unlimited_figures, paraphrases=True),
    Check(Verdict.FIGURES, turned_limits, paraphrases=True),
    Check(Verdict.FIGURES, halved_ranges, paraphrases=True),
    Check(Verdict.FIGURES, exchanged_days, paraphrases=True),
)
