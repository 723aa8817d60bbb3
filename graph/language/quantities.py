"""Quantities: the figures of a text with their units and limits, however they are spelled; and what values measure."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise, takewhile

from num2words import num2words

from graph.language.negation import opens_with_no
from graph.language.terms import fold
from graph.language.units import CURRENCIES, UNITS, in_unit, unit_of

NUMBER_WORDS: dict[str, str] = {num2words(number): str(number) for number in (*range(2, 21), *range(30, 100, 10))}
"""Figures that are written as words; "one" and "zero" are seldom meant as such, unless a unit follows."""
ORDINALS = {num2words(place, to=form): place for place in range(1, 11) for form in ("ordinal", "ordinal_num")}
"""Places by the words that name them: "second", "2nd"."""
_WORDS = NUMBER_WORDS | {"dozen": "12", "hundred": "100"}
_LONE = "one"
_FIGURE = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*")
_WORD = re.compile(rf"\b(?:{'|'.join([*_WORDS, _LONE])})\b", re.IGNORECASE)
_BEFORE = re.compile(r"([$€£¥₹]|\b[A-Z]{3})\s?$")
_AFTER = re.compile(
    r"[^\S\n]?[-‑]?((?:(?:working|business|calendar)[\s-]{1,3}(?=days?\b))?"  # noqa: RUF001 - hyphens of all kinds
    r"(°\s?[CF]\b|[%°$€£¥₹]|per cent\b|[^\W\d_]+))"
)
_COUNTED = re.compile(r"[ \n-]{0,3}[^\W\d_]{1,40}")
_MINUS = re.compile(r"(?:(?:^|[\s(:])[-−]|\bminus )$")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POWERS = {"thousand": 3, "million": 6, "billion": 9}
_REACH = 8
"""So far before a figure its sign and currency are looked for."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure as it is compared.

    Attributes:
        value: Its digits, without separators.
        unit: The standard name of its unit; None where it has none that is known.
    """

    value: str
    unit: str | None

    @property
    def is_number(self) -> bool:
        """Whether it is one, and no version or date."""
        return self.value.count(".") <= 1

    @property
    def number(self) -> float:
        """It as a number.

        Raises:
            ValueError: It is a version or a date.
        """
        return float(self.value)

    def measured_in(self, unit: str | None) -> float | None:
        """It as a number of a unit; None where it cannot be told so, or is no number."""
        if not self.is_number or self.unit == unit:
            return self.number if self.is_number else None
        return in_unit(self.number, self.unit, unit) if self.unit and unit else None


@dataclass(frozen=True, slots=True)
class Written:
    """A quantity where it stands in a text.

    Attributes:
        quantity: What it is.
        figure: The figure as it is written.
        unit: The unit as it is written, `working days` among them; empty where it has none that is known.
        start: Where it starts.
        end: Where the figure ends, its unit included.
    """

    quantity: Quantity
    figure: str
    unit: str
    start: int
    end: int

    @property
    def working(self) -> bool:
        """Whether it counts working days."""
        return self.unit.casefold().startswith(("working", "business"))


class Joint(StrEnum):
    """How a figure goes on to the next one."""

    RANGE = "to"
    PRODUCT = "by"
    CHOICE = "or"
    LIST = "and"
    COMMA = ","


_SPACE = " \n\t$€£"
_SIGNS = {
    **dict.fromkeys("-–—", Joint.RANGE),
    **dict.fromkeys("x×", Joint.PRODUCT),
    **dict.fromkeys(("/", ", or"), Joint.CHOICE),
}


def quantities(text: str) -> list[Written]:
    """Read the figures of a text, in order; those inside codes such as `X2` are none."""
    found = [_written(text, one[0], one.start(), one.end()) for one in _FIGURE.finditer(text)]
    for one in _WORD.finditer(text):
        word = one[0].casefold()
        written = _written(text, _WORDS.get(word, "1"), one.start(), one.end())
        if word != _LONE or written.quantity.unit:
            found.append(written)
    return _shared_units(text, sorted(found, key=lambda written: written.start))


def joint_of(text: str, one: Written, following: Written) -> Joint | None:
    """How a figure goes on to the next one; None where they stand apart."""
    between = text[one.end : following.start].strip(_SPACE).casefold()
    return _SIGNS.get(between) or next((joint for joint in Joint if joint == between), None)


def runs(text: str, found: Sequence[Written], *joints: Joint) -> list[list[Written]]:
    """Figures of a text, in order, those together that go on from one to the next by one of some joints."""
    together = [[one] for one in found[:1]]
    for one, following in pairwise(found):
        if joint_of(text, one, following) in joints:
            together[-1].append(following)
        else:
            together.append([following])
    return together


def counted(text: str, written: Written) -> str:
    """What a figure counts: the word right behind it, folded; empty where none stands there."""
    found = _COUNTED.match(text, written.end)
    return fold(found[0]).strip(" -\n") if found else ""


def _written(text: str, figure: str, start: int, end: int) -> Written:
    near = text[max(start - _REACH, 0) : start]
    sign = "-" if _MINUS.search(near) else ""
    before, after, number = _BEFORE.search(near), _AFTER.match(text, end), text[start:end]
    spelled = before[1] if before and unit_of(before[1]) in CURRENCIES else ""
    bare = spelled
    if not spelled and after and _is_unit(text, after):
        spelled, bare, end = after[1], after[2], after.end()
    power = _POWERS.get(bare.casefold(), 0)
    unit = unit_of(bare) if bare else None
    return Written(Quantity(f"{sign}{canonical(figure, power)}", unit), number, spelled, start, end)


def _is_unit(text: str, after: re.Match[str]) -> bool:
    """Whether a word behind a figure is a unit: not the article in "2 a day", nor the word in "3 in stock"."""
    word, follows = after[2], text[after.end() : after.end() + 2]
    if word == "a" or (word.casefold() == "in" and follows[:1].isspace() and follows[1:].isalpha()):
        return False
    return word.casefold() in _POWERS or unit_of(word) is not None


def _shared_units(text: str, found: list[Written]) -> list[Written]:
    """Of a range such as "10-12 hours" both ends have the unit."""
    for place in range(len(found) - 2, -1, -1):
        one, following = found[place], found[place + 1]
        if not one.unit and joint_of(text, one, following) not in {None, Joint.COMMA}:
            quantity = Quantity(one.quantity.value, following.quantity.unit)
            found[place] = replace(one, quantity=quantity, unit=following.unit)
    return found


def canonical(figure: str, power: int = 0) -> str:
    """The digits of a figure without separators, a decimal comma as a point, no noughts at its ends."""
    plain = figure.replace(",", "") if _THOUSANDS.fullmatch(figure) else figure.replace(",", ".")
    if plain.count(".") > 1:
        return plain  # a version or a date
    return f"{Decimal(plain).scaleb(power).normalize():f}"


def converted(value: str, unit: str) -> str | None:
    """The first quantity of a value in another unit, rounded to a tenth: `4.2 lb`; None where it cannot be told so.

    Figures that belong together are told together: `26 x 13.4 x 10.2 in`, `176 to 392 °F`.
    """
    for run in runs(value, quantities(value), Joint.RANGE, Joint.PRODUCT, Joint.CHOICE):
        if not all(written.quantity.unit and written.quantity.is_number for written in run):
            continue
        if run[0].quantity.unit == unit:
            return None
        told = [in_unit(one.quantity.number, str(one.quantity.unit), unit) for one in run]
        gaps = [*(value[one.end : following.start] for one, following in pairwise(run)), " "]
        figures = [f"{round(figure, 1):g}{gap}" for figure, gap in zip(told, gaps, strict=True) if figure is not None]
        if len(figures) == len(run):
            return f"{''.join(figures)}{UNITS[unit].symbols[0]}"
    return None


_ASIDE = re.compile(r"\([^)]{0,300}\)")
_DATE = re.compile(r"\d{4}(?:-\d{2}){1,2}")
_OPENING = re.compile(
    r"(?i)\A\W*(?:(?:about|approx\w*|around|up to|down to|at least|at most|max\w*|min\w*|ca|only)\b\W*)?"
)


def amount_of(value: str, direction: int = 1) -> Quantity | None:
    """What a value measures; None where it measures nothing, or several things.

    Args:
        value: A value as a shop writes it.
        direction: Of what comes in several sizes ("256 GB or 512 GB"), 1 takes the most and -1 the least.
    """
    plain = _ASIDE.sub(" ", value).strip()
    if _DATE.fullmatch(plain):
        return Quantity(plain.replace("-", "").ljust(8, "0"), "date")
    found = [one for one in quantities(plain) if one.quantity.is_number]
    if not found or opens_with_no(plain):
        return None
    sides = runs(plain, found, Joint.PRODUCT)[0]
    if len(sides) > 1:
        return _multiplied(sides) if len(sides) == len(found) else None
    opens = _OPENING.fullmatch(plain[: found[0].start].rstrip("$€£-− ")) is not None
    found = _without_ranges(plain, found)
    bare = found[0].quantity.unit is None
    if not opens or (bare and len(found) > 1):
        return None
    return max((one.quantity for one in _alternatives(plain, found)), key=lambda one: direction * one.number)


def comparable(amounts: Sequence[Quantity]) -> list[float]:
    """Amounts as figures in the unit of most of them, without those that cannot be told in it."""
    units = Counter(amount.unit for amount in amounts).most_common(1)
    told = (amount.measured_in(unit) for unit, _ in units for amount in amounts)
    return [figure for figure in told if figure is not None]


def _multiplied(sides: Sequence[Written]) -> Quantity:
    """Sides such as `42 x 14 cm` as what they enclose."""
    unit = f"{sides[-1].quantity.unit or 'side'} ** {len(sides)}"
    return Quantity(f"{math.prod(Decimal(one.quantity.value) for one in sides):f}", unit)


def _alternatives(text: str, found: Sequence[Written]) -> list[Written]:
    """The first figure, and those of its unit that a product comes with instead of it."""
    run = runs(text, found, Joint.CHOICE, Joint.COMMA)[0]
    return list(takewhile(lambda one: one.quantity.unit == run[0].quantity.unit, run))


def _without_ranges(text: str, found: Sequence[Written]) -> list[Written]:
    """The quantities of a text, of a range its upper end alone."""
    ends = []
    for run in runs(text, found, Joint.RANGE):
        ends += run[-1:] if len({one.quantity.unit for one in run}) == 1 else run
    return ends
