"""Numerals: figures and measures as they are spoken."""

import calendar
import re
from datetime import date
from functools import lru_cache

from num2words import num2words

from graph.language.units import UNITS

POWERS = {"²": "square", "2": "square", "³": "cubic", "3": "cubic"}
LENGTHS = frozenset({"mm", "cm", "m", "km", "in", "ft"})
LEAST_FOLDED = 2
"""Letters of a unit that is known in any case, such as `KG`; one letter means something else in the other case."""


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, ...]]:
    own = (unit for unit in UNITS.values() if unit.measure != "money")
    exact = {symbol: unit.words[:2] for unit in own for symbol in unit.symbols}
    folded = {symbol.casefold(): said for symbol, said in reversed(exact.items()) if len(symbol) >= LEAST_FOLDED}
    return folded | exact


def unit_words(symbol: str, figure: str) -> str | None:
    """The words for a unit beside a figure: `kg` as kilograms, `km/h` as kilometres per hour; None if it is no unit.

    Args:
        symbol: The unit as written, with what it is divided by.
        figure: The number before it, which decides between one and many.
    """
    counted, _, divided = symbol.partition("/")
    said = _named(counted)
    below = _named(divided) if divided else None
    if said is None or (divided and below is None):
        return None
    words = said[0] if figure == "1" else said[1]
    return f"{words} per {below[0]}" if below else words


def _named(symbol: str) -> tuple[str, ...] | None:
    known = _units().get(symbol) or (_units().get(symbol.casefold()) if len(symbol) >= LEAST_FOLDED else None)
    base, power = symbol[:-1], POWERS.get(symbol[-1:])
    if known is None and power and base in LENGTHS:
        one, many = _units()[base]
        return f"{power} {one}", f"{power} {many}"
    return known


FIGURE = r"\d{1,3}(?:,\d{3}){1,6}(?:\.\d+)?|\d+(?:\.\d+)?"
"""A number as shops write it, with separators of thousands and a decimal point."""
MONTHS = tuple(calendar.month_name)[1:]
PLACES = 4
"""Digits of a year, and of a code that is read in pairs."""
LONGEST = 15
"""Digits of a number that is said as one; those of a longer one are said one by one."""
DIGITS = tuple(str(num2words(digit)) for digit in range(10))
NOON = 12
MONEY = {sign: unit.sums for unit in UNITS.values() if unit.sums for sign in (*unit.symbols, unit.words[-1].upper())}
"""Sign or ISO 4217 code to the words for one and for many of its units, and of their hundredths."""


def cardinal(figure: str) -> str:
    """A number: `1,299` as one thousand, two hundred and ninety-nine; digits after a point one by one."""
    whole, point, decimals = figure.replace(",", "").partition(".")
    if not point:
        return digits(whole) if len(whole) > 1 and whole[0] == "0" else _said(whole)
    return f"{_said(whole)} point {digits(decimals)}"


def _said(whole: str) -> str:
    return str(num2words(int(whole))) if len(whole) <= LONGEST else digits(whole)


def digits(figure: str) -> str:
    """Digits one by one, such as those of a telephone number."""
    return " ".join(DIGITS[int(digit)] for digit in figure if digit.isdecimal())


def ordinal(figure: str) -> str:
    """A place: `3` as third."""
    return str(num2words(int(figure), to="ordinal")) if len(figure) <= LONGEST else digits(figure)


def is_year(figure: str) -> bool:
    """Whether four digits can be a year of our time."""
    return len(figure) == PLACES and figure[:2] in ("19", "20")


def year(figure: str) -> str:
    """A year, or any four digits read in pairs: `2026` as twenty twenty-six."""
    return str(num2words(int(figure), to="year"))


def code(figure: str) -> str:
    """The digits of a code: as a number while they are few, else in pairs or one by one."""
    if "." in figure:
        return " point ".join(code(part) for part in figure.split("."))
    if len(figure) > PLACES or (len(figure) > 1 and figure[0] == "0"):
        return digits(figure)
    return year(figure) if len(figure) == PLACES and figure[2:] != "00" else cardinal(figure)


def money(amount: str, currency: str) -> str:
    """A sum: `249.99` in `$` as two hundred and forty-nine dollars and ninety-nine cents."""
    one, many, cent, cents = MONEY[currency]
    whole, _, part = amount.replace(",", "").partition(".")
    units, hundredths = whole.lstrip("0") or "0", int(part.ljust(2, "0")[:2] or 0)
    said = f"{cardinal(units)} {one if units == '1' else many}"
    if not hundredths:
        return said
    rest = f"{cardinal(str(hundredths))} {cent if hundredths == 1 else cents}"
    return f"{said} and {rest}" if units != "0" else rest


def day(number: str, month: str, year_: str | None) -> str:
    """A date: `the fifteenth of September twenty twenty-six`."""
    return f"the {ordinal(number)} of {month}{f' {year(year_)}' if year_ else ''}"


def month_of(iso: str, today: date) -> str | None:
    """When a source was last changed, as one would say it: `in May`, with its year where that is another one."""
    try:
        changed = date.fromisoformat(iso[:10])
    except ValueError:
        return None
    if changed == today:
        return "today"
    month = MONTHS[changed.month - 1]
    return f"in {month}" if changed.year == today.year else f"in {month} {changed.year}"


def clock_time(hours: str, minutes: str, half: str | None) -> str:
    """A time of the day: `14:30` as fourteen thirty, `2 pm` as two p.m."""
    spoken = cardinal(str(int(hours)))
    after = f" {half[0].lower()}.m." if half else ""
    if minutes in ("", "00"):
        return f"{spoken}{after}" if after else f"{spoken} o'clock" if 0 < int(hours) <= NOON else f"{spoken} hundred"
    rest = f"oh {cardinal(minutes[1])}" if minutes[0] == "0" else cardinal(minutes)
    return f"{spoken} {rest}{after}"


def decade(figure: str) -> str:
    """`1990` as nineteen nineties."""
    return re.sub(r"y$", "ies", year(figure)) if figure.endswith("0") else f"{year(figure)}s"
