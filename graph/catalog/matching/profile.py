"""The profile of a name: all of it that is compared, read once."""

import re
from collections.abc import Container
from dataclasses import dataclass

from graph.catalog.matching.codes import codes, squash
from graph.catalog.matching.quantities import Quantities, quantities
from graph.catalog.units import units
from graph.language.terms import fold

_VERSION = re.compile(r"v(?=\d)")
_EMPTY_DECIMALS = re.compile(r"(?<=\d)\.0+$")
_SPOKEN_NUMBERS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_ORDINALS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split(),
        strict=True,
    )
)
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_NUMBERS = _SPOKEN_NUMBERS | _ORDINALS | _ROMAN

COLOURS = frozenset(
    """black white red blue green yellow orange purple pink brown grey gray silver gold beige navy teal violet magenta
    cyan turquoise ivory charcoal bronze copper tan maroon olive lime aqua burgundy clear""".split()
)
"""Words for colours in English; of two names with different ones, each is another product."""


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
