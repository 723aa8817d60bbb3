"""Swaps: sentences that were true until one thing in them was changed; what tells them from true ones is learnt."""

import random
import re
from collections.abc import Callable, Mapping, Sequence

from graph.language.quantities import NUMBER_WORDS
from graph.support import read

_FIGURE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]*\d)")
_SAY = re.compile(r"\b(is|are|was|were|can|will|could|should|must|may)\b(?! not)(?!n't)", re.IGNORECASE)
_DENY = re.compile(r"\b(is|are|was|were|can|will|does|do|did|could|should|must) ?not\b|\b(\w+)n['’]t\b", re.IGNORECASE)
_HAVE = re.compile(r"\b(has|includes|supports|fits|contains|comes|works|needs|holds|runs)\b")
_BASES = {"has": "have"}
_ALIKE = (
    "g kg mg lb oz lbs pounds ounces grams kilograms",
    "mm cm m km inches inch feet ft metres meters miles centimeters",
    "ml l litres liters gallons oz",
    "hours minutes seconds days weeks months years",
    "hour minute second day week month year",
    "w kw v mah wh watts volts amps",
    "gb tb mb",
    "hz khz mhz ghz",
    "percent dollars euros",
)
_NAMES = "Larch Osprey Delmar Quill Harrow Zephyr Nimbus Tavira Corvid Maple".split()
_EXTENSIONS = "Pro Plus Max Mini Lite".split()


def swaps(claim: str, source: random.Random) -> dict[str, str]:
    """False neighbours of a true sentence, by what was changed; only those that can be made of it."""
    made = {name: change(claim, source) for name, change in _CHANGES.items()}
    return {name: text for name, text in made.items() if text is not None and text != claim}


def _other_figure(claim: str, source: random.Random) -> str | None:
    places = [(one.span(), one[0]) for one in _FIGURE.finditer(claim)]
    if not places:
        words = [(one.span(), one[0]) for one in re.finditer(r"[a-z]+", claim) if one[0] in NUMBER_WORDS]
        if not words:
            return None
        span, _ = source.choice(words)
        others = [word for word in NUMBER_WORDS if word != claim[slice(*span)]]
        return _replaced(claim, span, source.choice(others))
    span, figure = source.choice(places)
    return _replaced(claim, span, _changed(figure, source))


def _changed(figure: str, source: random.Random) -> str:
    """A figure with one of its digits changed, never into the same one, never with a leading nought."""
    places = [place for place, character in enumerate(figure) if character.isdigit()]
    place = source.choice(places)
    others = [digit for digit in "123456789" if digit != figure[place]]
    return _replaced(figure, (place, place + 1), source.choice(others))


def _other_unit(claim: str, source: random.Random) -> str | None:
    found = []
    for one in re.finditer(r"(?<=\d)[\s-]?([A-Za-z]+)\b", claim):
        alike = [group.split() for group in _ALIKE if one[1].lower() in group.split()]
        found += [(one.span(1), unit) for unit in (alike[0] if alike else []) if not _same_unit(unit, one[1])]
    if not found:
        return None
    span, unit = source.choice(found)
    return _replaced(claim, span, unit)


def _same_unit(one: str, other: str) -> bool:
    first, second = (read(f"1 {word}").quantities[0].unit for word in (one, other))
    return first == second


def _denied(claim: str, _: random.Random) -> str | None:
    """The sentence with a "not" more, or without the one it has."""
    if found := _DENY.search(claim):
        verb = found[1] or found[2]
        return None if verb in {"ca", "wo"} else _replaced(claim, found.span(), verb)
    if found := _SAY.search(claim):
        return _replaced(claim, found.span(), f"{found[0]} not")
    if found := _HAVE.search(claim):
        return _replaced(claim, found.span(), f"does not {_BASES.get(found[0], found[0].removesuffix('s'))}")
    return None


def _other_name(claim: str, source: random.Random) -> str | None:
    runs = [run for run in read(claim).names if not run[0].text[0].isdigit()]
    if not runs:
        return None
    run = source.choice(runs)
    if source.random() < 0.5:  # noqa: PLR2004 - as often the one as the other
        return _replaced(claim, (run[-1].end, run[-1].end), f" {source.choice(_EXTENSIONS)}")
    others = [name for name in _NAMES if name.casefold() != run[0].text]
    return _replaced(claim, (run[0].start, run[0].end), source.choice(others))


def _replaced(text: str, span: Sequence[int], by: str) -> str:
    return f"{text[: span[0]]}{by}{text[span[1] :]}"


_CHANGES: Mapping[str, Callable[[str, random.Random], str | None]] = {
    "number": _other_figure,
    "unit": _other_unit,
    "negation": _denied,
    "name": _other_name,
}
