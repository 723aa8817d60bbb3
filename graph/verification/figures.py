"""Figures: every number of a sentence stands in its source, with its unit and limit; what is computed recomputes."""

import calendar
import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from graph.answering.facts import STRUCTURED
from graph.answering.matching import attribute_lines, statements
from graph.browsing.ranking.measures import names_measure
from graph.browsing.ranking.scope import Superlative, read_superlative
from graph.language.amounts import Amount, amount_of, comparable, duration_in, share_in
from graph.language.quantities import Quantity, Written, quantities
from graph.language.terms import name_pattern
from graph.language.units import in_unit, unit_of
from graph.language.wording import covered_otherwise, goes_on, places, read
from graph.parts import Verdict
from graph.turn import Derived
from graph.verification.case import Case, Check
from ingestion.evidence import Evidence
from ingestion.stems import stem

_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_DAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)}
_DAYS |= {name[:length]: number for name, number in _DAYS.items() for length in (3, 4)}
_NAME = "|".join(sorted({*_MONTHS, *_DAYS}, key=len, reverse=True))
_TOLD = re.compile(
    rf"\b(?:in|on|until|till|by|since|of|from|to|through|before|after|early|late|mid)[\s-](?P<after>{_NAME})s?\b"
    rf"|\d(?:st|nd|rd|th)?\s(?P<behind>{_NAME})\b|\b(?P<opening>{_NAME})\.?\s\d",
    re.IGNORECASE,
)
"""A word such as "may" or "sun" tells a date only beside a figure or a word of time."""
_ANY = re.compile(rf"\b(?:{_NAME})s?\b", re.IGNORECASE)
_ISO = re.compile(r"\b\d{4}-(\d\d)-\d\d\b")


def unfound_dates(case: Case) -> tuple[str, ...]:
    """The months and days of a sentence that no cited span says."""
    text = "\n".join(one.text for one in case.texts)
    there = {_read(found[0]) for found in _ANY.finditer(text)}
    there |= {("month", int(found[1])) for found in _ISO.finditer(text)}
    told = [found["after"] or found["behind"] or found["opening"] for found in _TOLD.finditer(case.said.text)]
    return tuple(name for name in told if name[0].isupper() and _read(name) not in there)


def _read(name: str) -> tuple[str, int]:
    bare = name.casefold()
    bare = bare if bare in _MONTHS or bare in _DAYS else bare.removesuffix("s")
    return ("month", _MONTHS[bare]) if bare in _MONTHS else ("day", _DAYS[bare])


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
_SPAN_OF_DAYS = re.compile(r"(?i)(?<!\d)(\d{1,9})\W{1,5}(working|business|calendar)?\s{0,3}days?\b")


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
    there = {(figure, (kind or "").casefold()) for figure, kind in _SPAN_OF_DAYS.findall(case.cited)}
    told = [(figure, (kind or "").casefold()) for figure, kind in _SPAN_OF_DAYS.findall(case.sentence.text)]
    known = {figure for figure, _ in there}
    same = {"business": "working"}
    plain = {(figure, same.get(kind, kind)) for figure, kind in there}
    return tuple(f"{n} {kind}".strip() for n, kind in told if n in known and (n, same.get(kind, kind)) not in plain)


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


_STAR = "star"
_SAME_WORDS = 0.9
"""Share of a sentence's other words that stand in a source which says the same."""
_NEXT_WORD = re.compile(r"[\s-]{0,3}([^\W\d_]+)")


def unfound_figures(case: Case) -> tuple[str, ...]:
    """The figures and units of a sentence that no cited span says.

    A figure inside a name that stands above the cited words, such as that of the product, is part of the name. A number
    word without a unit may count what the source lists; it is unfound where the source counts the same otherwise.
    """
    there = [written.quantity for quote in case.quotes for written in quantities(_without_names(quote, case))]
    there += computed_quantities(case)
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
    noun = _NEXT_WORD.match(said, written.end)
    if noun is None:
        return False
    return stem(noun[1].casefold()) in _counted(case.quotes)


@lru_cache(maxsize=64)
def _counted(quotes: Sequence[str]) -> frozenset[str]:
    """Stems of what the figures of texts count."""
    beside = (_NEXT_WORD.match(quote, figure.end) for quote in quotes for figure in quantities(quote))
    return frozenset(stem(found[1].casefold()) for found in beside if found)


def _without_names(text: str, case: Case) -> str:
    """A text with blanks for the names that stand above the cited words or are the product's."""
    for name in sorted(filter(None, case.names.split("\n")), key=len, reverse=True):
        text = name_pattern(name).sub(lambda found: " " * len(found[0]), text)
    for run in read(text).names:
        if len(run) > 1 and places(run, case.above) and not goes_on(run, case.above):
            text = text[: run[0].start] + " " * (run[-1].end - run[0].start) + text[run[-1].end :]
    return text


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
    Check(Verdict.FIGURES, halved_ranges, paraphrases=True),
    Check(Verdict.FIGURES, exchanged_days, paraphrases=True),
)
