"""Units: the one a question wants, and a value of the source told in it."""

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pint import UnitRegistry

SPOKEN = {
    "pounds": "lb",
    "pound": "lb",
    "lbs": "lb",
    "lb": "lb",
    "ounces": "oz",
    "ounce": "oz",
    "oz": "oz",
    "kilograms": "kg",
    "kilos": "kg",
    "kilo": "kg",
    "kg": "kg",
    "grams": "g",
    "inches": "in",
    "inch": "in",
    "feet": "ft",
    "foot": "ft",
    "centimetres": "cm",
    "centimeters": "cm",
    "cm": "cm",
    "millimetres": "mm",
    "millimeters": "mm",
    "mm": "mm",
    "metres": "m",
    "meters": "m",
    "gallons": "gal",
    "litres": "L",
    "liters": "L",
    "millilitres": "mL",
    "milliliters": "mL",
    "ml": "mL",
    "fluid ounces": "floz",
    "fahrenheit": "degF",
    "celsius": "degC",
}
SHOWN = {"floz": "fl oz", "degF": "°F", "degC": "°C", "L": "litres", "mL": "ml"}
STATED = {"°c": "degC", "°f": "degF", "l": "L", "ml": "mL", '"': "in", "inch": "in", "litres": "L", "liters": "L"}
CURRENCIES = "euros euro eur usd dollars gbp sterling chf yen francs".split()
WANTED = re.compile(rf"(?i)\bin (?:the )?({'|'.join(sorted([*SPOKEN, *CURRENCIES], key=len, reverse=True))})\b")
_NUMBER = r"\d[\d,]{0,20}(?:\.\d{1,20})?"
SHARED = re.compile(
    rf"((?:(?<![\w.,]){_NUMBER}\s{{0,3}}(?:[x×–-]|to\b|or\b)\s{{0,3}}){{1,5}})({_NUMBER})\s{{0,3}}(°[CF]|[A-Za-z\"]+)"
)
"""Dimensions or a range whose figures share one unit."""
MOST_TRIED = 20
"""Quantities of one value that are tried, for a unit that nobody knows takes long to tell."""
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
QUANTITY = re.compile(rf"(-?(?<!\d){_NUMBER})\s{{0,3}}-?\s{{0,3}}(°[CF]|[A-Za-z\"]+)")


def wanted_unit(question: str) -> str | None:
    """The unit an answer is wanted in ("and in pounds?"); None when none is named."""
    return SPOKEN.get(wanted_words(question))


def wanted_words(question: str) -> str:
    """The unit or currency an answer is wanted in, as the question names it; empty when none is named."""
    found = WANTED.search(question)
    return found[1].lower() if found else ""


def converted(value: str, unit: str) -> str | None:
    """The first quantity of a value in another unit, rounded to a tenth: `4.2 lb`; None where it cannot be told so.

    Figures that share a unit are told together: `26 x 13.4 x 10.2 in`, `176 to 392 °F`.
    """
    shared = SHARED.search(value)
    if shared is None:
        return _converted(value, unit)
    last = _converted(f"{shared[2]} {shared[3]}", unit)
    if last is None:
        return None
    told = re.sub(FIGURE, lambda figure: (_converted(f"{figure[0]} {shared[3]}", unit) or "").split(" ")[0], shared[1])
    return f"{told}{last}"


def _converted(value: str, unit: str) -> str | None:
    from pint.errors import DimensionalityError, UndefinedUnitError  # noqa: PLC0415 - loads slowly, seldom needed

    for figure, stated in (found.groups() for found in islice(QUANTITY.finditer(value), MOST_TRIED)):
        source = STATED.get(stated.lower(), stated)
        if source == unit:
            return None
        try:
            quantity = _registry().Quantity(float(figure.replace(",", "")), source).to(unit)
        except (DimensionalityError, UndefinedUnitError, AttributeError, ValueError):
            continue
        return f"{round(float(quantity.magnitude), 1):g} {SHOWN.get(unit, unit)}"
    return None


def in_unit(figure: float, unit: str, wanted: str) -> float | None:
    """A figure in another unit, both by their English names; None where it cannot be told so."""
    from pint.errors import DimensionalityError, UndefinedUnitError  # noqa: PLC0415 - loads slowly, seldom needed

    try:
        return float(_registry().Quantity(figure, unit).to(wanted).magnitude)
    except (DimensionalityError, UndefinedUnitError, AttributeError, ValueError):
        return None


@lru_cache(maxsize=1)
def _registry() -> "UnitRegistry[float]":
    from pint import UnitRegistry  # noqa: PLC0415 - loads slowly, seldom needed

    return UnitRegistry()
