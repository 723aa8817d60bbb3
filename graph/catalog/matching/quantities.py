"""Quantities: the numbers of a name, those with a measure brought to one measure of their kind."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([a-z]*)")
_LONGEST = 4
"""Digits of a number that may be a size, a version or a year; longer ones are codes."""
_YEAR = re.compile(r"(?:19|20)\d\d")

PLAIN = ""
"""The kind of numbers without a measure."""

_KINDS = {
    "tb": ("memory", 1e6),
    "gb": ("memory", 1e3),
    "mb": ("memory", 1.0),
    "inch": ("length", 25.4),
    "ft": ("length", 304.8),
    "m": ("length", 1000.0),
    "cm": ("length", 10.0),
    "mm": ("length", 1.0),
    "ghz": ("frequency", 1000.0),
    "mhz": ("frequency", 1.0),
    "l": ("volume", 1000.0),
    "cl": ("volume", 10.0),
    "ml": ("volume", 1.0),
    "kg": ("weight", 1000.0),
    "g": ("weight", 1.0),
    "lb": ("weight", 453.6),
    "oz": ("weight", 28.35),
}

Quantities = Mapping[str, frozenset[float]]
"""Kind of measure to its values."""


def quantities(units: Iterable[str]) -> Quantities:
    """The quantities among units."""
    found: dict[str, set[float]] = defaultdict(set)
    for unit in units:
        match = _NUMBER.fullmatch(unit)
        if match and (len(match[1]) <= _LONGEST or "." in match[1]):
            kind, factor = _KINDS.get(match[2], (match[2], 1.0))
            found[kind].add(round(float(match[1]) * factor, 1))
    return {kind: frozenset(values) for kind, values in found.items()}


def years(values: Iterable[float]) -> frozenset[float]:
    """Those plain numbers that look like years."""
    return frozenset(value for value in values if _YEAR.fullmatch(f"{value:g}"))
