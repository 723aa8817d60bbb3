"""Quantities: the figures of a text with their units, however either is spelled."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

_SPELLINGS = {
    "gram": "g gram grams gramme grammes", "kilogram": "kg kgs kilogram kilograms kilo kilos", "milligram": "mg",
    "pound": "lb lbs pound pounds", "ounce": "oz ounce ounces", "millimetre": "mm millimetre millimetres millimeter "
    "millimeters", "centimetre": "cm centimetre centimetres centimeter centimeters", "metre": "m metre metres meter "
    "meters", "kilometre": "km kilometre kilometres kilometer kilometers", "inch": "inch inches in", "foot": "ft foot "
    "feet", "mile": "mile miles mi", "yard": "yard yards yd", "millilitre": "ml millilitre millilitres milliliter "
    "milliliters", "litre": "l litre litres liter liters", "gallon": "gallon gallons gal", "watt": "w watt watts",
    "kilowatt": "kw kilowatt kilowatts", "volt": "v volt volts", "ampere": "a amp amps", "milliampere hour": "mah",
    "watt hour": "wh", "hour": "h hr hrs hour hours", "minute": "min mins minute minutes", "second": "s sec secs "
    "second seconds", "day": "day days", "week": "week weeks", "month": "month months", "year": "year years yr yrs",
    "percent": "% percent pct", "dollar": "$ dollar dollars usd", "euro": "€ euro euros eur", "sterling": "£ gbp",
    "franc": "chf", "yen": "¥ jpy yen", "rupee": "₹ inr rupee rupees",
    "byte": "b byte bytes", "kilobyte": "kb", "megabyte": "mb", "gigabyte": "gb", "terabyte": "tb", "hertz": "hz",
    "kilohertz": "khz", "megahertz": "mhz", "gigahertz": "ghz", "megapixel": "mp megapixel megapixels", "nit":
    "nit nits", "bar": "bar bars", "decibel": "db", "lumen": "lm lumen lumens", "star": "star stars", "million":
    "million", "billion": "billion", "thousand": "thousand", "celsius": "°c celsius", "fahrenheit": "°f fahrenheit",
}  # fmt: skip
_UNITS = {spelled: unit for unit, spellings in _SPELLINGS.items() for spelled in spellings.split()}
NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty""".split(),
        start=2,
    )
}
"""Figures that are written as words; "one" and "zero" are seldom meant as such, unless a unit follows."""
_TENS = {word: 10 * value for value, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_WORDS = NUMBER_WORDS | {word: str(value) for word, value in _TENS.items()} | {"dozen": "12", "hundred": "100"}
_LONE = "one"
_CURRENCIES = frozenset({"dollar", "euro", "sterling", "franc", "yen", "rupee"})
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


def unit_of(word: str) -> str | None:
    """The standard name of a unit; None for another word."""
    return _UNITS.get(word.casefold().replace("per cent", "percent").replace("° ", "°"))


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
    spelled = before[1] if before and unit_of(before[1]) in _CURRENCIES else ""
    if not spelled and after and _is_unit(text, after):
        spelled, end = after[1], after.end()
    unit = unit_of(spelled) if spelled else None
    power = _POWERS.get(unit or "", 0)
    value = canonical(figure, power)
    return Written(Quantity(f"{sign}{value}", None if power else unit), number, spelled, start, end)


def _is_unit(text: str, after: re.Match[str]) -> bool:
    """Whether a word behind a figure is a unit: not the article in "2 a day", nor the word in "3 in stock"."""
    word, follows = after[1], text[after.end() : after.end() + 2]
    if word == "a" or (word.casefold() == "in" and re.match(r"\s[^\W\d]", follows)):
        return False
    return unit_of(word) is not None


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
