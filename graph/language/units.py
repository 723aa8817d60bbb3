"""Units: the one a question wants, and a value of the source told in it."""

import re
from functools import lru_cache
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
WANTED = re.compile(rf"(?i)\bin (?:the )?({'|'.join(sorted(SPOKEN, key=len, reverse=True))})\b")
QUANTITY = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)\s*-?\s*(°[CF]|[A-Za-z\"]+)")


def wanted_unit(question: str) -> str | None:
    """The unit an answer is wanted in ("and in pounds?"); None when none is named."""
    found = WANTED.search(question)
    return SPOKEN[found[1].lower()] if found else None


def converted(value: str, unit: str) -> str | None:
    """The first quantity of a value in another unit, rounded to a tenth: `4.2 lb`; None where it cannot be told so."""
    from pint.errors import DimensionalityError, UndefinedUnitError  # noqa: PLC0415 - loads slowly, seldom needed

    for figure, stated in QUANTITY.findall(value):
        source = STATED.get(stated.lower(), stated)
        if source == unit:
            return None
        try:
            quantity = _registry().Quantity(float(figure.replace(",", "")), source).to(unit)
        except (DimensionalityError, UndefinedUnitError, AttributeError, ValueError):
            continue
        return f"{round(float(quantity.magnitude), 1):g} {SHOWN.get(unit, unit)}"
    return None


@lru_cache(maxsize=1)
def _registry() -> "UnitRegistry[float]":
    from pint import UnitRegistry  # noqa: PLC0415 - loads slowly, seldom needed

    return UnitRegistry()
