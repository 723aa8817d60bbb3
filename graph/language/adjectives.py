"""Adjectives: what a superlative measures, and whether more or less of it is meant."""

from collections.abc import Mapping
from dataclasses import dataclass

PRICE = "price"
"""What a shop states of every product, whatever its attributes are called."""
MOST, LEAST = 1, -1
DEGREES: Mapping[str, int] = {
    "most": MOST,
    "least": LEAST,
    "fewest": LEAST,
    "more": MOST,
    "less": LEAST,
    "fewer": LEAST,
}
"""Words for more or less of what is named beside them."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What an adjective measures.

    Attributes:
        names: Ways to name an attribute that it measures, best first, each with the direction that is meant.
        open: Whether it may measure anything that is named beside it ("the longest battery life").
    """

    names: tuple[tuple[str, int], ...]
    open: bool = False


def _graded(direction: int, *names: str, open_: bool = False) -> Graded:
    return Graded(tuple((name, direction) for name in names), open_)


_SIZES = (
    "size",
    "floor area",
    "floor dimensions",
    "dimensions",
    "display",
    "screen size",
    "volume",
    "capacity",
    "diameter",
)
_TIMES = ("charging time", "charge time", "boil time", "heating time", "setup time", "pitching time", "drying time")
_SPEEDS = ("speed", "top speed", "maximum speed", "clock speed", "data rate", "refresh rate")
_FAST = Graded((*((name, MOST) for name in _SPEEDS), *((name, LEAST) for name in _TIMES)), open=True)
_SLOW = Graded(tuple((name, -direction) for name, direction in _FAST.names), open=True)

ADJECTIVES: Mapping[str, Graded] = {
    "cheap": _graded(LEAST, PRICE),
    "affordable": _graded(LEAST, PRICE),
    "inexpensive": _graded(LEAST, PRICE),
    "expensive": _graded(MOST, PRICE),
    "costly": _graded(MOST, PRICE),
    "pricey": _graded(MOST, PRICE),
    "dear": _graded(MOST, PRICE),
    "light": _graded(LEAST, "weight"),
    "lightweight": _graded(LEAST, "weight"),
    "heavy": _graded(MOST, "weight"),
    "big": _graded(MOST, *_SIZES, open_=True),
    "large": _graded(MOST, *_SIZES, open_=True),
    "small": _graded(LEAST, *_SIZES, open_=True),
    "great": Graded((), open=True),
    "compact": _graded(LEAST, "packed size", "folded size", "size", "dimensions"),
    "roomy": _graded(MOST, "floor area", "floor dimensions", "volume", "capacity"),
    "spacious": _graded(MOST, "floor area", "floor dimensions", "volume", "capacity"),
    "long": _graded(MOST, "battery life", "playback", "runtime", "run time", "burn time", "length", open_=True),
    "short": _graded(LEAST, "length", "height", open_=True),
    "tall": _graded(MOST, "height", "inner height"),
    "high": _graded(MOST, "height", "inner height", open_=True),
    "low": _graded(LEAST, "height", open_=True),
    "wide": _graded(MOST, "width", open_=True),
    "broad": _graded(MOST, "width"),
    "narrow": _graded(LEAST, "width"),
    "deep": _graded(MOST, "depth"),
    "shallow": _graded(LEAST, "depth"),
    "thin": _graded(LEAST, "thickness", "depth"),
    "slim": _graded(LEAST, "thickness", "depth"),
    "thick": _graded(MOST, "thickness", "depth"),
    "fast": _FAST,
    "quick": _FAST,
    "slow": _SLOW,
    "bright": _graded(MOST, "brightness", "light output", "lumens", "luminous flux"),
    "dim": _graded(LEAST, "brightness", "light output", "lumens", "luminous flux"),
    "warm": Graded(
        (("comfort temperature", LEAST), ("limit temperature", LEAST), ("r value", MOST), ("fill weight", MOST))
    ),
    "powerful": _graded(MOST, "power", "wattage", "heat output", "motor"),
    "strong": _graded(MOST, "power", "maximum load", "load capacity", "strength"),
    "quiet": _graded(LEAST, "noise", "noise level", "sound level", "loudness"),
    "silent": _graded(LEAST, "noise", "noise level", "sound level", "loudness"),
    "loud": _graded(MOST, "noise", "noise level", "sound level", "loudness"),
    "noisy": _graded(MOST, "noise", "noise level", "sound level", "loudness"),
    "waterproof": _graded(MOST, "hydrostatic head", "water column", "waterproof rating"),
    "breathable": _graded(MOST, "breathability"),
    "new": _graded(MOST, "release date", "release year", "model year", "launch date", "year"),
    "recent": _graded(MOST, "release date", "release year", "model year", "launch date", "year"),
    "old": _graded(LEAST, "release date", "release year", "model year", "launch date", "year"),
}
"""Adjectives of any shop; what no product of a category states, they do not rank."""


def _inflected(adjective: str, ending: str) -> str:
    if adjective.endswith("e"):
        return adjective + ending.removeprefix("e")
    if adjective.endswith("y") and adjective[-2] not in "aeiou":
        return f"{adjective[:-1]}i{ending}"
    doubled = adjective[-1] in "bdgmnpt" and adjective[-2] in "aeiou" and adjective[-3] not in "aeiou"
    return f"{adjective}{adjective[-1] if doubled else ''}{ending}"


SUPERLATIVES: Mapping[str, str] = {_inflected(adjective, "est"): adjective for adjective in ADJECTIVES} | {
    "latest": "new"
}
"""Superlative in -est to its adjective; those that take "most" are in it, too, and harm nothing."""
COMPARATIVES: Mapping[str, str] = {_inflected(adjective, "er"): adjective for adjective in ADJECTIVES}
"""Comparative in -er to its adjective."""
_BY_MOST = frozenset(adjective for adjective in ADJECTIVES if len(adjective) > len("narrow"))


def superlative_of(adjective: str) -> str:
    """The superlative of an adjective as it is written: `lightest`, `most expensive`."""
    return f"most {adjective}" if adjective in _BY_MOST else _inflected(adjective, "est")
