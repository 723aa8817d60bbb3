"""Profiles: what of a product's name and attributes a query is compared with."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from graph.catalog.units import is_measure, units
from graph.language.locale import table
from graph.language.quantities import NUMBER_WORDS
from graph.language.terms import fold

_MIN_LENGTH = 4
_MIN_DIGITS_ALONE = 5
_SIBLING_PREFIX = 3
_DIGIT = re.compile(r"\d")
_COUNT = re.compile(r"\A\d+(?:x|u|pk|pcs?|ct|pack|pair|piece|port|sheet|user|watt|volt|year)s?")


def squash(text: str) -> str:
    """The folded letters and digits of a text, all else left out."""
    return "".join(char for char in fold(text) if char.isalnum())


def codes(text: str) -> frozenset[str]:
    """The codes of a text, squashed; amounts ("256gb"), years and short numbers are none."""
    return frozenset(code for code in map(squash, filter(_DIGIT.search, text.split())) if is_code(code))


def is_code(text: str) -> bool:
    """Whether a squashed word is a code: digits among letters, or a long number."""
    digits = sum(char.isdigit() for char in text)
    if digits == len(text):
        return digits >= _MIN_DIGITS_ALONE
    if len(text) < _MIN_LENGTH or not digits or is_measure(text) or _COUNT.fullmatch(text):
        return False
    return digits > 1 or len(text) > _MIN_LENGTH


def are_siblings(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether some code begins like another and goes on differently, as those of a line do."""
    return any(
        one[:_SIBLING_PREFIX] == other[:_SIBLING_PREFIX] and one not in other and other not in one
        for one in left
        for other in right
    )


_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([a-z]*)")
_LONGEST = 4
"""Digits of a number that may be a size, a version or a year; longer ones are codes."""
_YEAR = re.compile(r"(?:19|20)\d\d")

PLAIN = ""
"""The kind of numbers without a measure."""

_KINDS = {
    "tb": ("memory", 1_000_000),
    "gb": ("memory", 1000),
    "mb": ("memory", 1),
    "inch": ("length", 25.4),
    "ft": ("length", 304.8),
    "m": ("length", 1000),
    "cm": ("length", 10),
    "mm": ("length", 1),
    "ghz": ("frequency", 1000),
    "mhz": ("frequency", 1),
    "l": ("volume", 1000),
    "cl": ("volume", 10),
    "ml": ("volume", 1),
    "kg": ("weight", 1000),
    "g": ("weight", 1),
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
            kind, factor = _KINDS.get(match[2], (match[2], 1))
            found[kind].add(round(float(match[1]) * factor, 1))
    return {kind: frozenset(values) for kind, values in found.items()}


def years(values: Iterable[float]) -> frozenset[float]:
    """Those plain numbers that look like years."""
    return frozenset(value for value in values if _YEAR.fullmatch(f"{value:g}"))


_VERSION = re.compile(r"v(?=\d)")
_EMPTY_DECIMALS = re.compile(r"(?<=\d)\.0+$")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_NUMBERS: dict[str, str] = {"zero": "0", "one": "1"} | NUMBER_WORDS | table("names")["ordinals"] | _ROMAN

COLOURS = frozenset(table("names")["colours"].split())


@dataclass(frozen=True, slots=True)
class Profile:
    """A name, read for comparison.

    Attributes:
        text: Folded, with single spaces.
        units: Its units in order, numbers in one spelling.
        distinct: The same, and those of the product's other names.
        brand: Units of the maker's name; empty for a query.
        codes: Model and article numbers, squashed.
        quantities: Its numbers by kind.
        squashed: Its letters and digits; other names follow after a space each.
        trigrams: Runs of three characters of its units.
    """

    text: str
    units: tuple[str, ...]
    distinct: frozenset[str]
    brand: frozenset[str]
    codes: frozenset[str]
    quantities: Quantities
    squashed: str
    trigrams: frozenset[str]

    @property
    def known(self) -> frozenset[str]:
        """All units that may be said for it, its maker's included."""
        return self.distinct | self.brand

    @property
    def colours(self) -> frozenset[str]:
        """The colours it names."""
        return self.distinct & COLOURS


def query_profile(text: str, vocabulary: Container[str]) -> Profile:
    """Read a name from elsewhere; `vocabulary` holds the units of the catalog's names."""
    return _profile(text, (), None, vocabulary)


def product_profile(name: str, others: tuple[str, ...], brand: str | None, vocabulary: Container[str]) -> Profile:
    """Read a product's name or an alias, with what else it is called as `others`."""
    return _profile(name, others, brand, vocabulary)


def _profile(text: str, others: tuple[str, ...], brand: str | None, vocabulary: Container[str]) -> Profile:
    cut = _units(text, vocabulary)
    more = [unit for other in others for unit in _units(other, vocabulary)]
    padded = f" {' '.join(cut)} "
    return Profile(
        text=" ".join(fold(text).split()),
        units=cut,
        distinct=frozenset([*cut, *more]),
        brand=frozenset(_units(brand or "", vocabulary)),
        codes=codes(" ".join([text, *others])),
        quantities=quantities(cut),
        squashed=" ".join(squash(name) for name in [text, *others]),
        trigrams=frozenset(padded[i : i + 3] for i in range(len(padded) - 2)),
    )


def _units(text: str, vocabulary: Container[str]) -> tuple[str, ...]:
    return tuple(_spelled(unit.text) for unit in units(text, vocabulary))


def _spelled(unit: str) -> str:
    """Numbers in one spelling: `v8`, `8.0`, `viii` and `eight` are 8."""
    bare = _EMPTY_DECIMALS.sub("", _VERSION.sub("", unit, count=1))
    return _NUMBERS.get(bare, bare)
