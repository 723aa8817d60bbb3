"""Figures a question asks about, against the ranges and figures that evidence states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal

Fit = Literal["inside", "outside", "same", "different", "unknown"]

_WORDS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_NUMBER = rf"(?:\d+(?:\.\d+)?(?:\s{{1,3}}1/2)?|{'|'.join(_WORDS)})"
_UNITS = {
    "year": ("age", 1.0), "yr": ("age", 1.0), "yo": ("age", 1.0), "month": ("age", 1 / 12), "mo": ("age", 1 / 12),
    "player": ("player", 1.0), "people": ("player", 1.0), "person": ("player", 1.0), "pound": ("weight", 1.0),
    "lb": ("weight", 1.0), "ounce": ("weight", 1 / 16), "oz": ("weight", 1 / 16), "kg": ("weight", 2.2046),
    "kilogram": ("weight", 2.2046), "inch": ("length", 1.0), "inche": ("length", 1.0), '"': ("length", 1.0),
    "foot": ("length", 12.0), "feet": ("length", 12.0), "ft": ("length", 12.0), "cm": ("length", 1 / 2.54),
    "centimeter": ("length", 1 / 2.54), "mm": ("length", 1 / 25.4), "volt": ("volt", 1.0), "v": ("volt", 1.0),
    "watt": ("watt", 1.0), "w": ("watt", 1.0), "gallon": ("volume", 128.0), "gal": ("volume", 128.0),
    "quart": ("volume", 32.0), "liter": ("volume", 33.814), "litre": ("volume", 33.814), "ml": ("volume", 0.033814),
    "piece": ("piece", 1.0), "pc": ("piece", 1.0), "mph": ("speed", 1.0), "minute": ("time", 1.0), "min": ("time", 1.0),
    "hour": ("time", 60.0), "hr": ("time", 60.0), "mah": ("charge", 1.0), "gb": ("memory", 1.0),
    "tb": ("memory", 1000.0),
}  # fmt: skip
"""What a unit measures, and how many of the standard one it is."""
_UNIT = rf"(?:{'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})"
_QUANTITY = re.compile(rf"(?i)(?<![\w.])(?P<n>{_NUMBER})[\s-]{{0,3}}(?P<unit>{_UNIT})s?(?!\w)")
_RANGE = re.compile(
    rf"(?i)(?<![\w.])(?:(?P<least>at least|minimum(?: of)?|over|more than|from|starting at|must be)\s{{1,3}}"
    rf"|(?P<most>up to|maximum(?: of| weight:?)?|max(?:imum)?(?: weight)?:?|under|less than|no more than)\s{{1,3}})?"
    rf"(?P<n>{_NUMBER})(?:[\s-]{{0,3}}(?P<u1>{_UNIT})s?\.?(?![a-z]))?"
    rf"(?:\s{{0,3}}(?P<open>\+|(?:years?|yrs?|months?)?\s{{0,3}}(?:of age\s{{0,3}})?(?:and|&|or)\s{{1,3}}"
    rf"(?:up|older|over|above|more)\b)"
    rf"|\s{{0,3}}(?:to|-|–|through|and)\s{{0,3}}(?P<m>{_NUMBER}))?"
    rf"(?:[\s-]{{0,3}}(?P<u2>{_UNIT})s?(?![a-z]))?"
)
_OF_AGE = re.compile(r"(?i)\b(ages?|aged|age range|years? old|year olds?)\b")
_LEAST_AGE = re.compile(r"(?i)\bage[sd]?\b|skill level")
"""Where an age is what a product is for, it is the least one."""
_OF_PLAYERS = re.compile(r"(?i)\bplayers?\b")
_NEAR = 0.02
"""Share by which two figures that are the same may differ by rounding."""


@dataclass(frozen=True, slots=True)
class _Interval:
    measure: str
    least: float
    most: float


def fit(question: str, said: str) -> Fit:
    """How the first figure asked about stands to what is said of the same measure."""
    intervals: dict[str, list[_Interval]] = {}
    for one in _intervals(said) if _QUANTITY.search(question) else ():
        intervals.setdefault(one.measure, []).append(one)
    for found in _QUANTITY.finditer(question):
        measure, factor = _UNITS[_unit(found["unit"])]
        asked = _value(found["n"]) * factor
        if stated := intervals.get(measure):
            return _compare(asked, stated)
    return "unknown"


def _compare(asked: float, stated: list[_Interval]) -> Fit:
    ranges = [one for one in stated if one.least != one.most]
    if ranges:
        return "inside" if any(one.least <= asked <= one.most for one in ranges) else "outside"
    near = any(abs(one.least - asked) <= _NEAR * max(asked, one.least) for one in stated)
    return "same" if near else "different"


def _intervals(said: str) -> Iterator[_Interval]:
    bare = "player" if _OF_PLAYERS.search(said) else "year" if _OF_AGE.search(said) else None
    least_age = _LEAST_AGE.search(said) is not None
    for found in _RANGE.finditer(said):
        unit = found["u2"] or found["u1"] or bare
        if found["open"] and "month" in found["open"].lower():
            unit = "month"
        if unit is None:
            continue
        measure, factor = _UNITS[_unit(unit)]
        low = _value(found["n"]) * factor
        high = _value(found["m"]) * factor if found["m"] else low
        if found["open"] or found["least"]:
            high = inf
        elif found["most"]:
            low = -inf
        elif measure == "age" and not found["m"] and least_age:
            high = inf
        yield _Interval(measure, low, high)


def _unit(spelled: str) -> str:
    folded = spelled.lower()
    return folded if folded in _UNITS else folded.removesuffix("s")


def _value(spelled: str) -> float:
    folded = spelled.lower()
    if folded in _WORDS:
        return float(_WORDS[folded])
    whole, _, half = folded.partition(" ")
    return float(whole) + (0.5 if half else 0.0)
