"""Figures: every number of a sentence stands in its source, with its unit and limit; what is computed recomputes."""

import calendar
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from operator import attrgetter

from graph.answering.facts import STRUCTURED
from graph.answering.matching import attribute_lines, statements
from graph.browsing.superlatives import Superlative, names_measure, read_superlative
from graph.language.locale import phrases, word_class
from graph.language.quantities import (
    Amount,
    Bound,
    Joint,
    Quantity,
    Written,
    amount_of,
    bounds_in,
    comparable,
    duration_in,
    joint_of,
    quantities,
    share_in,
)
from graph.language.terms import name_pattern
from graph.language.units import in_unit, unit_of
from graph.language.wording import Wording, covered_otherwise, goes_on, places, read
from graph.parts import Verdict
from graph.turn import Derived
from graph.verification.case import Case, Check
from ingestion.evidence import Evidence

_STAR = "star"
_SAME_WORDS = 0.9
"""Share of a sentence's other words that stand in a source which says the same."""


def unfound_figures(case: Case) -> tuple[str, ...]:
    """The figures and units of a sentence that no cited span says.

    A figure inside a name that stands above the cited words, such as that of the product, is part of the name. A number
    word without a unit may count what the source lists; it is unfound where the source counts the same otherwise.
    """
    there = [one for quote in case.quotes for one in _read(_without_names(quote, case))]
    there += _computed(case)
    said = _without_names(case.said.text, case)
    units: dict[str, dict[str | None, None]] = {}
    for one in there:
        units.setdefault(one.value, {})[one.unit] = None
    failing = []
    for written in quantities(said):
        same = units.get(written.quantity.value, {})
        if not same and (_in_digits(written) or _counted_otherwise(written, said, case)):
            failing.append(written.figure)
        elif same and not _with_unit(written, same, case):
            failing.append(f"{written.figure} {written.unit}")
    return tuple(failing) or _exchanged(quantities(said), there, case)


def _exchanged(said: Sequence[Written], there: Sequence[Quantity], case: Case) -> tuple[str, ...]:
    """Figures of which the source has fewer, where it says the sentence with as many figures: "5 to 5" for "3 to 5"."""
    if case.derived or len(said) != len(there) or covered_otherwise(case.said, case.texts) < _SAME_WORDS:
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
    apart = {unit_of(token.text) for text in case.texts for token in text.tokens}
    return unit in apart or (unit == _STAR and any(item.rating is not None for item in case.items))


def _counted_otherwise(written: Written, said: str, case: Case) -> bool:
    """Whether what a number word counts has another number in the cited words."""
    counted = _counted(said, written)
    return counted is not None and any(
        counted == _counted(quote, other) for quote in case.quotes for other in quantities(quote)
    )


def _counted(text: str, written: Written) -> str | None:
    """The stem of what a figure counts: the word right behind it."""
    tokens = read(text).tokens
    place = bisect_left(tokens, written.end, key=attrgetter("start"))
    if place == len(tokens) or text[written.end : tokens[place].start].strip(" -\n"):
        return None
    return None if tokens[place].text[0].isdigit() else tokens[place].stem


def _without_names(text: str, case: Case) -> str:
    """A text with blanks for the names that stand above the cited words or are the product's."""
    for name in sorted(filter(None, case.names.split("\n")), key=len, reverse=True):
        text = name_pattern(name).sub(lambda found: " " * len(found[0]), text)
    for run in read(text).names:
        if len(run) > 1 and places(run, case.above) and not goes_on(run, case.above):
            text = text[: run[0].start] + " " * (run[-1].end - run[0].start) + text[run[-1].end :]
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
    there = {_CALENDAR[word] for text in case.texts for word in text.bare if word in _CALENDAR}
    there |= {("month", int(month)) for text in case.texts for month in _ISO.findall(text.text)}
    told = (place for place, word in enumerate(case.said.bare) if word in _CALENDAR and _CALENDAR[word] not in there)
    return tuple(case.said.word_at(place) for place in told if _tells_date(case.said, place))


def _tells_date(said: Wording, place: int) -> bool:
    """Whether a word such as "May" or "Sun" tells a date: it does only beside a figure or a word of time."""
    if not said.tokens[place].capital:
        return False
    before = next((word for word in reversed(said.bare[max(place - 2, 0) : place]) if word not in _ORDINALS), "")
    behind = next(iter(said.bare[place + 1 : place + 2]), "")
    return before in _TIMES or before[:1].isdigit() or behind[:1].isdigit()


_LIMITS, _SOFTENED = phrases("limits"), phrases("softened")
_LIMITING_SIGNS = "<>≤≥+"
_DAY = "day"


def unlimited_figures(case: Case) -> tuple[str, ...]:
    """Limits of a sentence that what it cites states without one: over 1.9 kg, where it is 1.9 kg."""
    if case.derived or _LIMITS.search(case.cited) or any(sign in case.cited for sign in _LIMITING_SIGNS):
        return ()
    return tuple(told for bound, told in bounds_in(case.said.text) if bound in {Bound.ABOVE, Bound.BELOW})


def turned_limits(case: Case) -> tuple[str, ...]:
    """Words by which a sentence has something begin on a day on which it ends."""
    there = {bound for bound, _ in bounds_in(case.cited)}
    if Bound.UNTIL not in there or Bound.FROM in there:
        return ()
    return tuple(told for bound, told in bounds_in(case.said.text) if bound is Bound.FROM)


def halved_ranges(case: Case) -> tuple[str, ...]:
    """Ranges and sizes of which a sentence tells one figure as if it were all."""
    if case.derived or _SOFTENED.search(case.said.text):
        return ()
    told, cited = _values(quantities(case.said.text)), quantities(case.cited)
    pairs = [
        (one, following)
        for one, following in pairwise(cited)
        if joint_of(case.cited, one, following) in {Joint.RANGE, Joint.PRODUCT}
    ]
    alone = _values([one for one in cited if not any(one in pair for pair in pairs)])
    halves = (_values(pair) & told for pair in pairs if len(_values(pair) & told) == 1 < len(_values(pair)))
    return tuple(value for half in halves for value in half if value not in alone)


def exchanged_days(case: Case) -> tuple[str, ...]:
    """Counts of days that are working days in one of sentence and source only."""
    there, told = (
        [one for one in quantities(text) if one.quantity.unit == _DAY] for text in (case.cited, case.said.text)
    )
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
_ROUNDING = 0.06
"""A mean is told to a tenth."""
_TOLERANCE = 0.03
"""A conversion is rounded for reading: this share of its value may be lost."""


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
    told, cited = _read(value), _read(case.cited)
    return bool(told) and all(any(_same(one, other) for other in cited) for one in told)


def _same(one: Quantity, other: Quantity) -> bool:
    if one.unit is None or other.unit is None:
        return False
    figure = in_unit(other.number, other.unit, one.unit)
    return figure is not None and abs(figure - one.number) <= max(_TOLERANCE * abs(figure), _ROUNDING)


def _differs(derived: Derived, case: Case) -> bool:
    """Whether a value lies between two cited figures of one unit."""
    told, cited = _read(plain(derived.value)), [one for one in _read(case.cited) if one.is_number]
    gaps = [(abs(one.number - other.number), one.unit) for one in cited for other in cited if one.unit == other.unit]
    return bool(told) and all(
        any(abs(one.number - gap) <= _TOLERANCE * gap and one.unit in {unit, None} for gap, unit in gaps)
        for one in told
    )


def _read(text: str) -> list[Quantity]:
    return [written.quantity for written in quantities(text)]


_TAIL = re.compile(r", the ((?:\w+ ){1,3})of the (\d+)(?: [^.]{0,300})?\.?$")


def without_ranking(case: Case) -> str:
    """The sentence without the words that only rank what it tells: they are recomputed, not looked up."""
    return _TAIL.sub(".", case.said.text) if _count(case) else case.said.text


def wrongly_ranked(case: Case) -> tuple[str, ...]:
    """The superlative of a sentence that the counted sources do not bear out."""
    tail, count = _TAIL.search(case.said.text), _count(case)
    if tail is None or count is None:
        return ()
    superlative = read_superlative(tail[1])
    borne_out = int(tail[2]) == len(count.of) and superlative is not None and _holds(superlative, count, case)
    return () if borne_out else tuple(tail[1].split())


def _count(case: Case) -> Derived | None:
    return next((one for one in case.derived if one.op == "count"), None)


def _holds(superlative: Superlative, count: Derived, case: Case) -> bool:
    """Whether the cited amount stands at the place that is said among those counted."""
    own = case.items[0]
    rows = attribute_lines(own) if own.source_type in STRUCTURED else []
    name = next((name for name, _, start, end in rows if own.text[start:end] in case.quotes), "")
    items = [case.evidence[key] for key in count.of if key in case.evidence]
    direction = superlative.direction_for(names_measure(superlative, name))
    amounts = [amount for item in items if (amount := _amount(name, item, direction))]
    if len(amounts) != len(count.of) or own not in items:
        return False
    figures = comparable(amounts)
    return None not in figures and _stands(superlative, name, own, items, amounts, [one or 0.0 for one in figures])


def _stands(
    superlative: Superlative,
    name: str,
    own: Evidence,
    items: Sequence[Evidence],
    amounts: Sequence[Amount],
    figures: Sequence[float],
) -> bool:
    direction = superlative.direction_for(names_measure(superlative, name), timed=amounts[0].timed)
    mine = figures[items.index(own)] * direction
    better = {figure for figure in figures if figure * direction > mine}
    level = sum(figure * direction == mine for figure in figures)
    return len(better) == superlative.place - 1 and level == 1


def _amount(name: str, item: Evidence, direction: int) -> Amount | None:
    """What an evidence states of an attribute, or sets as a rule where no attribute is cited."""
    if name:
        rows = (value for other, value, *_ in attribute_lines(item) if other.casefold() == name.casefold())
        return next((amount for value in rows if (amount := amount_of(value, direction))), None)
    start, end = statements(item)[0]
    text = item.text[start:end]
    return share_in(text) if item.source_type == "offer" else duration_in(text)


CHECKS = (
    Check(Verdict.FIGURES, unfound_figures),
    Check(Verdict.FIGURES, unfound_dates),
    Check(Verdict.COMPUTED, wrongly_computed),
    Check(Verdict.COMPUTED, wrongly_ranked),
    Check(Verdict.FIGURES, unlimited_figures, paraphrases=True),
    Check(Verdict.FIGURES, turned_limits, paraphrases=True),
    Check(Verdict.FIGURES, halved_ranges, paraphrases=True),
    Check(Verdict.FIGURES, exchanged_days, paraphrases=True),
)
