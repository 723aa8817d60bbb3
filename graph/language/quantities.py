"""Quantities: the figures of a text with their units, however either is spelled."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from num2words import num2words

from graph.language.units import CURRENCIES, unit_of

NUMBER_WORDS: dict[str, str] = {num2words(number): str(number) for number in (*range(2, 21), *range(30, 100, 10))}
"""Figures that are written as words; "one" and "zero" are seldom meant as such, unless a unit follows."""
_WORDS = NUMBER_WORDS | {"dozen": "12", "hundred": "100"}
_LONE = "one"
_FIGURE = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*")
_WORD = re.compile(rf"\b(?:{'|'.join([*_WORDS, _LONE])})\b", re.IGNORECASE)
_BEFORE = re.compile(r"([$€£¥₹]|\b[A-Z]{3})\s?$")
_AFTER = re.compile(r"[^\S\n]?[-‑]?(°\s?[CF]\b|[%°$€£¥₹]|per cent\b|[A-Za-z]+)")  # noqa: RUF001 - hyphens of all kinds
_MINUS = re.compile(r"(?:(?:^|[\s(:])[-−]|\bminus )$")
_RANGE = re.compile(r"\s?(?:[-–—/x×]|to|and|or|by)\s?", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class Written:
    """A quantity where it stands in a text.

    Attributes:
        quantity: What it is.
        figure: The figure as it is written.
        unit: The unit as it is written; empty where it has none that is known.
        start: Where it starts.
        end: Where the figure ends, its unit included.
    """

    quantity: Quantity
    figure: str
    unit: str
    start: int
    end: int


def quantities(text: str) -> list[Written]:
    """Read the figures of a text, in order; those inside codes such as `X2` are none."""
    found = [_written(text, one[0], one.start(), one.end()) for one in _FIGURE.finditer(text)]
    for one in _WORD.finditer(text):
        word = one[0].casefold()
        written = _written(text, _WORDS.get(word, "1"), one.start(), one.end())
        if word != _LONE or written.quantity.unit:
            found.append(written)
    return _shared_units(text, sorted(found, key=lambda written: written.start))


def _written(text: str, figure: str, start: int, end: int) -> Written:
    near = text[max(start - _REACH, 0) : start]
    sign = "-" if _MINUS.search(near) else ""
    before, after, number = _BEFORE.search(near), _AFTER.match(text, end), text[start:end]
    spelled = before[1] if before and unit_of(before[1]) in CURRENCIES else ""
    if not spelled and after and _is_unit(text, after):
        spelled, end = after[1], after.end()
    power = _POWERS.get(spelled.casefold(), 0)
    unit = unit_of(spelled) if spelled else None
    return Written(Quantity(f"{sign}{canonical(figure, power)}", unit), number, spelled, start, end)


def _is_unit(text: str, after: re.Match[str]) -> bool:
    """Whether a word behind a figure is a unit: not the article in "2 a day", nor the word in "3 in stock"."""
    word, follows = after[1], text[after.end() : after.end() + 2]
    if word == "a" or (word.casefold() == "in" and re.match(r"\s[^\W\d]", follows)):
        return False
    return word.casefold() in _POWERS or unit_of(word) is not None


def _shared_units(text: str, found: list[Written]) -> list[Written]:
    """Of a range such as "10-12 hours" both ends have the unit."""
    for place in range(len(found) - 2, -1, -1):
        one, following = found[place], found[place + 1]
        if not one.unit and _RANGE.fullmatch(text[one.end : following.start]):
            quantity = Quantity(one.quantity.value, following.quantity.unit)
            found[place] = replace(one, quantity=quantity, unit=following.unit)
    return found


def canonical(figure: str, power: int = 0) -> str:
    """The digits of a figure without separators, a decimal comma as a point, no noughts at its ends."""
    plain = figure.replace(",", "") if _THOUSANDS.fullmatch(figure) else figure.replace(",", ".")
    if plain.count(".") > 1:
        return plain  # a version or a date
    return f"{Decimal(plain).scaleb(power).normalize():f}"
