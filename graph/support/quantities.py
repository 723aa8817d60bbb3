"""Quantities: a figure and its unit, however either is spelled."""

from dataclasses import dataclass

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
    "byte": "b byte bytes", "kilobyte": "kb", "megabyte": "mb", "gigabyte": "gb", "terabyte": "tb", "hertz": "hz",
    "kilohertz": "khz", "megahertz": "mhz", "gigahertz": "ghz", "megapixel": "mp megapixel megapixels", "nit":
    "nit nits", "bar": "bar bars", "decibel": "db", "lumen": "lm lumen lumens", "star": "star stars", "million":
    "million", "billion": "billion", "thousand": "thousand",
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
"""Figures that are written as words; "one" and "zero" are seldom meant as such."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure as it is compared.

    Attributes:
        value: Its digits, without separators.
        unit: The standard name of its unit; None where it has none that is known.
    """

    value: str
    unit: str | None


def unit_of(word: str) -> str | None:
    """The standard name of a unit; None for another word."""
    return _UNITS.get(word.casefold())
