"""Classes of English words by which questions are read."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

ARTICLES = frozenset({"the", "a", "an"})

DEFINITE = frozenset("the this that these those your my our its their his her".split())
"""Determiners after which a partial name means one certain product."""

INDEFINITE = frozenset("a an any some what which how many much more most other another every each all no".split())
"""Determiners after which a noun means a kind of product, not one of them."""

PRONOUNS = frozenset(
    """i me my mine myself you your yours yourself he him his she her hers it its itself we us our ours they them their
    theirs themselves one ones this that these those somebody someone something anybody anyone anything nobody nothing
    everybody everyone everything""".split()
)

AUXILIARIES = frozenset(
    """is are was were be been being am do does did done doing have has had having can could will would shall should may
    might must isn aren wasn weren don doesn didn haven hasn hadn couldn won wouldn shouldn""".split()
)

PREPOSITIONS = frozenset(
    """in on at to from for with without by as into onto about over under up down out off of than between within during
    after before through per via until since against around like inside outside near versus vs""".split()
)

CONJUNCTIONS = frozenset("and or but if nor so then because while though although whether".split())

QUESTION_WORDS = frozenset("what which who whom whose when where why how".split())

PARTICLES = frozenset(
    """not n t s re ve ll d m yes no ok okay please also too very just only really still even ever never already now
    there here again else instead well hi hello hey thanks thank maybe""".split()
)

FUNCTION_WORDS = (
    ARTICLES | DEFINITE | INDEFINITE | PRONOUNS | AUXILIARIES | PREPOSITIONS | CONJUNCTIONS | QUESTION_WORDS | PARTICLES
)
"""All of them; "plus" is none of them, for it is part of names."""

REQUEST_VERBS = frozenset(
    """show list find search browse see sell stock carry offer recommend suggest want need look looking looks buy get
    give have has got there""".split()
)
"""Verbs after which a bare noun is what is looked for ("do you sell lipstick"), not a product that is known."""


BE = frozenset("is are was were be been being am".split())
MODALS = frozenset(
    "do does did can could will would shall should may might must has have had don doesn didn won couldn".split()
)
OWNERS = frozenset("his her its their my your our".split())
DEMONSTRATIVES = frozenset("this that these those".split())
DETERMINERS = ARTICLES | OWNERS | DEMONSTRATIVES | frozenset("some any no other many which what all".split())
_REMEMBERED = 8192
"""Words whose classes are kept: reading a conversation asks for the same ones again and again."""

_EMPTY = frozenset(
    "else other others another such etc tell describe himself herself themselves itself both either neither lot".split()
)
_ADVERB = re.compile(r"\A\w{3,}ly")
_NO_ADVERBS = frozenset("family assembly supply july italy reply anomaly".split())
_DOUBLING = re.compile(r"\A[^aeiou]*[aeiou][bdgklmnprtv]")
_ADJECTIVE = re.compile(r"\A\w{2,}(?:ful|ous|less|able|ible|ical|mental|ional|tural|orial)")
_PARTICIPLE = re.compile(r"\A\w{4,}(?:ed|ing)")


@lru_cache(maxsize=_REMEMBERED)
def is_stop(word: str) -> bool:
    """Whether a lower-cased word names nothing by itself."""
    return word in FUNCTION_WORDS or word in _EMPTY or (bool(_ADVERB.fullmatch(word)) and word not in _NO_ADVERBS)


@lru_cache(maxsize=_REMEMBERED)
def is_verb(word: str) -> bool:
    """Whether a word may be a form of a verb; many may be nouns, too."""
    return word in _verbs() or (word.endswith("ed") and bool(_PARTICIPLE.fullmatch(word)))


@lru_cache(maxsize=_REMEMBERED)
def is_participle(word: str) -> bool:
    """Whether a word may follow "is" or "has" as a verb."""
    return word in _listed("irregular") or bool(_PARTICIPLE.fullmatch(word))


@lru_cache(maxsize=_REMEMBERED)
def is_adjective(word: str) -> bool:
    """Whether a word only modifies, so that a phrase that ends in it lacks its noun."""
    return word in _listed("adjectives") or bool(_ADJECTIVE.fullmatch(word))


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8")
    return {name: frozenset(words.split()) for name, words in tomllib.loads(text).items()}


def _listed(name: str) -> frozenset[str]:
    return _lists()[name]


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    return _listed("irregular").union(*map(_forms, _listed("verbs")))


def _forms(verb: str) -> set[str]:
    """The regular forms of a verb."""
    if verb.endswith("e"):
        return {verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"}
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return {verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"}
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
    stem = verb + verb[-1] if _DOUBLING.fullmatch(verb) else verb
    return {verb, third, f"{verb}ed", f"{verb}ing", f"{stem}ed", f"{stem}ing"}


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
