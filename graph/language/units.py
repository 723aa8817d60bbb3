"""Units: how they are written and said, what they measure, and a figure in another of them."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, TypeAdapter

from graph.language.locale import table

if TYPE_CHECKING:
    from pint import UnitRegistry

_AMBIGUOUS = frozenset({"angle", "count"})
"""Measures whose units are left out of a figure: degrees are of warmth, too, and pieces may be of anything."""
_CONVERTED = frozenset({"mass", "length", "volume", "temperature"})
"""Measures in which an answer may be wanted."""
_LEAST_NAMED = 2
"""Letters of a symbol by which a question can name a unit."""


class Unit(BaseModel):
    """A unit of measure.

    Attributes:
        measure: What it measures.
        symbols: How it is written behind a figure.
        words: How it is said, one and more than one first, then other spellings.
        sums: Of money, how one and more than one are said in a sum, and one hundredth and more than one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    measure: str
    symbols: tuple[str, ...]
    words: tuple[str, ...]
    sums: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """All the ways to write it."""
        return (*self.symbols, *self.words)


UNITS: Mapping[str, Unit] = MappingProxyType(TypeAdapter(dict[str, Unit]).validate_python(table("units")))
"""The units by the names that pint knows them by."""
CURRENCIES = frozenset(name for name, unit in UNITS.items() if unit.measure == "money")
TIMES = frozenset(name for name, unit in UNITS.items() if unit.measure == "duration")


@cache
def _by_spelling() -> Mapping[str, str]:
    own = ((name, unit) for name, unit in UNITS.items() if unit.measure not in _AMBIGUOUS)
    return {spelled.casefold(): name for name, unit in own for spelled in unit.spellings}


def unit_of(word: str) -> str | None:
    """The name of a unit, however it is spelled; None for another word."""
    return _by_spelling().get(word.casefold().replace("° ", "°"))


@cache
def _wanted() -> re.Pattern[str]:
    named = {spelled for spelled, name in _by_spelling().items() if UNITS[name].measure in _CONVERTED}
    named = {spelled for spelled in named if len(spelled) >= _LEAST_NAMED and spelled != "in"}
    named |= {word for name in CURRENCIES for word in UNITS[name].words}
    return re.compile(rf"(?i)\bin (?:the )?({'|'.join(map(re.escape, sorted(named, key=len, reverse=True)))})(?!\w)")


def without_wanted(question: str) -> str:
    """A question without the unit in which it wants its answer."""
    return _wanted().sub(" ", question)


def wanted_unit(question: str) -> str | None:
    """The unit an answer is wanted in ("and in pounds?"); None when none is named, or a currency is."""
    found = _wanted().search(question)
    name = unit_of(found[1]) if found else None
    return None if name in CURRENCIES else name


def in_unit(figure: float, unit: str, wanted: str) -> float | None:
    """A figure in another unit; None where it cannot be told so. A year has 365 days, as shops count."""
    from pint.errors import PintError  # noqa: PLC0415 - loads slowly, seldom needed

    try:
        return float(_registry().Quantity(figure, unit).to(wanted).magnitude)
    except (PintError, AttributeError, ValueError):
        return None


@lru_cache(maxsize=1)
def _registry() -> "UnitRegistry[float]":
    from pint import UnitRegistry  # noqa: PLC0415 - loads slowly, seldom needed

    registry: UnitRegistry[float] = UnitRegistry(on_redefinition="ignore")
    registry.define("year = 365 * day = a = yr")
    return registry
