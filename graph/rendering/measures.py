"""Measures as they are said: a figure and its unit in the number that fits it."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from graph.rendering.numerals import cardinal

POWERS = {"²": "square", "2": "square", "³": "cubic", "3": "cubic"}
LENGTHS = frozenset({"mm", "cm", "m", "km", "in", "ft"})
LEAST_FOLDED = 2
"""Letters of a unit that is known in any case, such as `KG`; one letter means something else in the other case."""


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, str]]:
    text = files("graph.rendering").joinpath("units.toml").read_text(encoding="utf-8")
    exact = {symbol: (one, many) for symbol, (one, many) in tomllib.loads(text).items()}
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


def _named(symbol: str) -> tuple[str, str] | None:
    known = _units().get(symbol) or (_units().get(symbol.casefold()) if len(symbol) >= LEAST_FOLDED else None)
    base, power = symbol[:-1], POWERS.get(symbol[-1:])
    if known is None and power and base in LENGTHS:
        one, many = _units()[base]
        return f"{power} {one}", f"{power} {many}"
    return known


def measure(figure: str, symbol: str) -> str | None:
    """A figure with its unit: `1.9`, `kg` as one point nine kilograms; None if the symbol is no unit."""
    words = unit_words(symbol, figure)
    return f"{cardinal(figure)} {words}" if words else None
