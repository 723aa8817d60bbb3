"""Measures: what a figure measures by its unit, and what measure a question wants ("how loud" wants decibels)."""

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, TypeAdapter

from graph.language.locale import phrases, table
from graph.language.quantities import NUMBER_WORDS
from graph.language.terms import Stems, words
from graph.language.units import UNITS
from ingestion.stems import stem

RATHER = 0.5
"""Agreement of a measure that may answer, too."""

_READ_OTHERWISE = frozenset({"angle", "count", "money", "rating"})
"""Measures that no question of the table wants, or whose units stand there with what may not follow them."""
_PREPOSITION = "in"
_BARE = re.compile(r"\A\W*\d[\d.,\s]*(?:(?:to|[x×–-])\s*\d[\d.,\s]*)*")
"""Figures that no unit follows: what they measure only the attribute's name tells."""
_COUNT = re.compile(
    r"(?i)\A\W*(?:up to |about |over |at least )?"
    rf"(?:\d+(?:,\d{{3}})*(?![.,]?\d)|(?:one|{'|'.join(NUMBER_WORDS)})\b)"
)
_HOW_MANY = re.compile(r"(?i)\bhow many (?P<things>[^\W\d_]+)")


_Names = tuple[str, ...]


class Frame(BaseModel):
    """A way to ask for a measure.

    Attributes:
        asks: Pattern of the questions, in any case.
        wants: The measures asked for.
        rather: Measures that may answer, too.
        figure: Whether an answer without a figure is none.
        named: Stems of which the attribute's name must hold one; empty for any name.
        never: Stems that make it another attribute, unless the question has them.
    """

    asks: Annotated[re.Pattern[str], BeforeValidator(lambda asks: re.compile(asks, re.IGNORECASE))]
    wants: frozenset[str]
    rather: frozenset[str] = frozenset()
    figure: bool = False
    named: Stems = frozenset()
    never: Stems = frozenset()


class _Spelled(BaseModel):
    """Patterns of a measure's further units, and of words that tell it without a figure."""

    name: str
    units: _Names = ()
    words: _Names = ()


def measures_in(text: str) -> frozenset[str]:
    """What the figures of a text measure, by their units."""
    found = frozenset(name for name, pattern in _measures().items() if pattern.search(text))
    # "34 pages per minute" is no length of time, whatever unit stands in it.
    return found - {"duration", "length", "mass"} if "speed" in found else found


def agreement(question: str, attribute: str, value: str) -> float:
    """How well an attribute's value answers the kind of measure a question wants.

    Returns:
        1 for what is asked for, 0.5 for what may answer, 0 where that cannot be told, -1 for what is of another kind.
    """
    if counted := _HOW_MANY.search(question):
        return _counts(counted["things"], attribute, value)
    frame = _frame_of(question)
    if frame is None:
        return 0.0
    named = {stem(word) for word in words(attribute)}
    if frame.named and not frame.named & named:
        return -1.0
    if (others := frame.never & named) and others - {stem(word) for word in words(question)}:
        return -1.0
    return _measured(frame, value)


@lru_cache(maxsize=256)
def _frame_of(question: str) -> Frame | None:
    """The way a question asks for a measure, looked for once for all attributes."""
    return next((frame for frame in _frames() if frame.asks.search(question)), None)


def _measured(frame: Frame, value: str) -> float:
    stated = measures_in(value)
    if not stated and any(map(str.isdigit, value)):
        return 0.0 if _BARE.fullmatch(value) or not frame.figure else -1.0
    if not stated:
        told = "duration" in frame.wants and phrases("open_ended").search(value)
        return 1.0 if told else -1.0 if frame.figure else 0.0
    return 1.0 if stated & frame.wants else RATHER if stated & frame.rather else -1.0


def _counts(things: str, attribute: str, value: str) -> float:
    """Whether a value counts things, or tells the unit they are."""
    unit = next((name for name, pattern in _measures().items() if pattern.fullmatch(f"1 {things}")), None)
    if unit:
        return 1.0 if unit in measures_in(value) else 0.0 if _BARE.fullmatch(value) else -1.0
    named = stem(things.lower()) in {stem(word) for word in words(f"{attribute} {value}")}
    if not _COUNT.match(value):
        return 0.0 if phrases("open_ended").search(value) or (named and any(map(str.isdigit, value))) else -1.0
    return 1.0 if named else -1.0 if measures_in(value) else RATHER


@cache
def _measures() -> dict[str, re.Pattern[str]]:
    figure = r"(?<![\w.])(?<!\d,)[-±]?\d[\d,.]{0,20}(?:\s{0,3}/\s{0,3}\d{1,9})?\s{0,3}-?\s{0,3}"
    more = TypeAdapter(list[_Spelled]).validate_python(table("measures")["measure"])
    spelled: dict[str, list[str]] = defaultdict(list, {one.name: list(one.units) for one in more if one.units})
    for unit in UNITS.values():
        if unit.measure not in _READ_OTHERWISE:
            spelled[unit.measure] += (re.escape(one) for one in unit.spellings if one != _PREPOSITION)
    found = {name: rf"{figure}(?:{'|'.join(units)})" for name, units in spelled.items()}
    found |= {one.name: rf"\b(?:{'|'.join(one.words)})" for one in more if one.words}
    return {name: re.compile(rf"(?i){pattern}(?![\w/²³])") for name, pattern in found.items()}


@cache
def _frames() -> list[Frame]:
    return TypeAdapter(list[Frame]).validate_python(table("measures")["frame"])
