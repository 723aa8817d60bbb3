"""Product matching: which product of the catalog a name from elsewhere means, and whether any."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from num2words import num2words
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler

from graph.catalog.names import NameIndex, cut_repeated, other_names
from graph.catalog.units import is_measure, units
from graph.language.locale import table
from graph.language.quantities import NUMBER_WORDS
from graph.language.terms import fold
from graph.trained import Logistic, WeightsError

_MIN_LENGTH = 4
_MIN_DIGITS_ALONE = 5
_DIGIT = re.compile(r"\d")
_COUNT = re.compile(r"\A\d+(?:x|u|pk|pcs?|ct|pack|pair|piece|port|sheet|user|watt|volt|year)s?")
_VERSION = re.compile(r"v(?=\d)")
_EMPTY_DECIMALS = re.compile(r"(?<=\d)\.0+$")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_ORDINALS = {num2words(place, to="ordinal"): num2words(place, to="ordinal_num") for place in range(1, 11)}
_NUMBERS: dict[str, str] = {"zero": "0", "one": "1"} | NUMBER_WORDS | _ORDINALS | _ROMAN
_COLOURS = frozenset(table("names")["colours"].split())


def squash(text: str) -> str:
    """The folded letters and digits of a text, all else left out."""
    return "".join(char for char in fold(text) if char.isalnum())


def codes(text: str) -> frozenset[str]:
    """The codes of a text, squashed; amounts ("256gb"), years and short numbers are none."""
    return frozenset(code for code in map(squash, filter(_DIGIT.search, text.split())) if _is_code(code))


def _is_code(text: str) -> bool:
    """Whether a squashed word is a code: digits among letters, or a long number."""
    digits = sum(char.isdigit() for char in text)
    if digits == len(text):
        return digits >= _MIN_DIGITS_ALONE
    if len(text) < _MIN_LENGTH or not digits or is_measure(text) or _COUNT.fullmatch(text):
        return False
    return digits > 1 or len(text) > _MIN_LENGTH


@dataclass(frozen=True, slots=True)
class Profile:
    """A name, read for comparison.

    Attributes:
        text: Folded, with single spaces.
        units: Its units, numbers in one spelling.
        distinct: The same, and those of the product's other names.
        brand: Units of the maker's name; empty for a query.
        codes: Model and article numbers, squashed.
        squashed: Its letters and digits; other names follow after a space each.
        trigrams: Runs of three characters of its units.
    """

    text: str
    units: frozenset[str]
    distinct: frozenset[str]
    brand: frozenset[str]
    codes: frozenset[str]
    squashed: str
    trigrams: frozenset[str]

    @property
    def known(self) -> frozenset[str]:
        """All units that may be said for it, its maker's included."""
        return self.distinct | self.brand


def profile(text: str, vocabulary: Container[str], others: Sequence[str] = (), brand: str | None = None) -> Profile:
    """Read a name from elsewhere, or a product's name or alias.

    Args:
        text: The name.
        vocabulary: The units of the catalog's names.
        others: What else the product is called.
        brand: Its maker.
    """
    cut = _units(text, vocabulary)
    padded = f" {' '.join(cut)} "
    return Profile(
        text=" ".join(fold(text).split()),
        units=frozenset(cut),
        distinct=frozenset(cut).union(*(_units(other, vocabulary) for other in others)),
        brand=frozenset(_units(brand or "", vocabulary)),
        codes=codes(" ".join([text, *others])),
        squashed=" ".join(squash(name) for name in [text, *others]),
        trigrams=frozenset(padded[i : i + 3] for i in range(len(padded) - 2)),
    )


def _units(text: str, vocabulary: Container[str]) -> list[str]:
    return [_spelled(unit.text) for unit in units(text, vocabulary)]


def _spelled(unit: str) -> str:
    """Numbers in one spelling: `v8`, `8.0`, `viii` and `eight` are 8."""
    bare = _EMPTY_DECIMALS.sub("", _VERSION.sub("", unit, count=1))
    return _NUMBERS.get(bare, bare)


_RESPELT = 0.9
_SHORTEST_INSIDE = 4
_LEAST_SIMILAR = 0.75


def resemblance(unit: str, others: Iterable[str], squashed: str) -> float:
    """How well another name has a unit in another spelling, 0 to 1.

    It may stand inside the other's squashed letters ("spysweeper", "8489a001"), be cut short ("pro") or mistyped.

    Args:
        unit: A unit of one name that the other lacks.
        others: Units of the other name that this one lacks.
        squashed: The other name's letters and digits.
    """
    if len(unit) >= _SHORTEST_INSIDE and unit in squashed:
        return _RESPELT
    words = [other for other in others if other.isalpha() and unit.isalpha()]
    alike = (JaroWinkler.similarity(unit, word, score_cutoff=_LEAST_SIMILAR) for word in words if word[0] == unit[0])
    return _RESPELT * max(alike, default=0.0)


Rarity = Callable[[str], float]
"""How much a unit says: its inverse document frequency over the largest of the catalog, 0 to 1."""

_MAKER_WEIGHT = 0.4
_TELLING = 3
"""Units of a query that say the most."""

FEATURES = tuple(
    """
    query_coverage name_coverage coverage local_coverage telling_units shared_weight query_only_known query_only_unknown
    name_only_plain most_telling_name_only shared_figures query_only_figures name_only_figures
    trigrams token_set_ratio token_sort_ratio partial_ratio ratio
    equal_codes said_codes query_code_unsaid name_code_unsaid other_codes
    shared_colour other_colour query_only_colour name_only_colour
    """.split()
)
"""Names of the features."""


def candidate_features(query: Profile, names: Sequence[Profile], rarity: Rarity) -> NDArray[np.float64]:
    """Describe candidates, shape `(len(names), len(FEATURES))`.

    Args:
        query: The name from elsewhere.
        names: The candidates.
        rarity: Weighs units.
    """
    held = Counter(unit for name in names for unit in query.distinct & name.known)
    # By how few of the candidates have it.
    local = {unit: math.log((len(names) + 1) / (held[unit] + 0.5)) for unit in query.distinct}
    plain = (_letters, _codes, _looks)
    rows = [
        [*_coverage(query, name, rarity, local), *(value for part in plain for value in part(query, name))]
        for name in names
    ]
    return np.array(rows, dtype=np.float64).reshape(len(names), len(FEATURES))


def _coverage(query: Profile, name: Profile, rarity: Rarity, local: Mapping[str, float]) -> tuple[float, ...]:
    """How much of the query the name says, and the other way round; by rarity, and by rarity among the candidates."""

    def weight(unit: str) -> float:
        return rarity(unit) * (_MAKER_WEIGHT if unit in name.brand else 1.0)

    lacking, extra = query.distinct - name.known, name.units - query.distinct
    left = {unit: 1 - resemblance(unit, extra, name.squashed) for unit in lacking}
    more = {unit: weight(unit) * (1 - resemblance(unit, lacking, query.squashed)) for unit in extra}
    of_query = 1 - sum(rarity(unit) * left[unit] for unit in left) / (sum(map(rarity, query.distinct)) or 1.0)
    of_name = 1 - sum(more.values()) / (sum(map(weight, name.units)) or 1.0)
    telling = sorted(query.distinct, key=lambda unit: (-rarity(unit), unit))[:_TELLING]
    return (
        of_query,
        of_name,
        2 * of_query * of_name / (of_query + of_name or 1.0),
        1 - sum(local[unit] * left[unit] for unit in left) / (sum(local.values()) or 1.0),
        sum(unit not in left or unit in name.squashed for unit in telling) / _TELLING,
        sum(map(rarity, query.distinct & name.known)),
        sum(rarity(unit) for unit in lacking if rarity(unit) < 1.0),
        float(sum(rarity(unit) == 1.0 for unit in lacking)),
        sum(own for unit, own in more.items() if not _is_code(unit)),
        max(more.values(), default=0.0),
        *(float(sum(is_measure(unit) for unit in part)) for part in (query.distinct & name.known, lacking, extra)),
    )


def _letters(query: Profile, name: Profile) -> tuple[float, ...]:
    common = len(query.trigrams & name.trigrams)
    ratios = (fuzz.token_set_ratio, fuzz.token_sort_ratio, fuzz.partial_ratio, fuzz.ratio)
    return (
        2 * common / max(len(query.trigrams) + len(name.trigrams), 1),
        *(ratio(query.text, name.text) / 100 for ratio in ratios),
    )


def _codes(query: Profile, name: Profile) -> tuple[float, ...]:
    said = any(code in name.squashed for code in query.codes) or any(code in query.squashed for code in name.codes)
    unsaid = [bool(query.codes) and not said, bool(name.codes) and not said]
    return float(len(query.codes & name.codes)), float(said), float(unsaid[0]), float(unsaid[1]), float(all(unsaid))


def _looks(query: Profile, name: Profile) -> tuple[float, ...]:
    own, other = query.distinct & _COLOURS, name.distinct & _COLOURS
    return (
        float(bool(own & other)),
        float(bool(own) and bool(other) and own.isdisjoint(other)),
        float(bool(own) and not other),
        float(bool(other) and not own),
    )


CANDIDATES = 20
_SURFACES = 64
_LEAST_RARITY = 0.02
_REMEMBERED = 16384


@dataclass(frozen=True, slots=True)
class Described:
    """The candidates of a query.

    Attributes:
        keys: Product ids, by what their names share with the query, most first.
        features: How each compares with the query, by its name or the alias that shares the most with it; shape
            `(len(keys), len(FEATURES))`.
    """

    keys: Sequence[str]
    features: NDArray[np.float64]


class CandidateSearch:
    """Finds and describes candidates over a catalog's index of names; what was read of products is remembered.

    Args:
        names: The index.
    """

    def __init__(self, names: NameIndex) -> None:
        self._names = names
        self._profile = lru_cache(maxsize=_REMEMBERED)(self._read)
        self._rarity = lru_cache(maxsize=_REMEMBERED)(self._weigh)

    def describe(self, text: str) -> Described:
        """The candidates of a name from elsewhere; none where no name shares a unit with it."""
        wanted = {unit.text: 1.0 for unit in units(text, self._names)}
        found = self._names.candidates(wanted, _SURFACES)
        said = {surface.product_id: surface.units for surface in reversed(found)}
        keys = list(dict.fromkeys(surface.product_id for surface in found))[:CANDIDATES]
        names = [self._profile(key, said[key]) for key in keys]
        return Described(keys, candidate_features(profile(text, self._names), names, self._rarity))

    def _read(self, key: str, said: tuple[str, ...]) -> Profile:
        """Read a product by its alias that has these units, by its name where none has."""
        product = self._names.products[key]
        name = next((alias for alias in product.aliases if said == cut_repeated(alias)), product.name)
        others = [other for other in (product.name, *other_names(product)) if other != name]
        return profile(name, self._names, others, product.brand)

    def _weigh(self, unit: str) -> float:
        return max(self._names.idf(unit) / self._names.most_idf, _LEAST_RARITY)


MODEL_PATH = Path(__file__).with_name("model.json")

SIGNALS = ("score", "lead", "share", "mass")
"""What acceptance reads of the scores: the best one, by how much it leads (at most 4), the logarithm of its share among
all (softmax), and the logarithm of the sum of their exponentials."""
CONTRADICTIONS = ("query_coverage", "query_only_known", "other_colour", "other_codes")
"""What acceptance reads of the best candidate itself."""
_COLUMNS = [FEATURES.index(name) for name in CONTRADICTIONS]
MOST_LEAD = 4.0


@dataclass(frozen=True, slots=True)
class Matched:
    """What a name from elsewhere may mean.

    Attributes:
        ranked: Product ids and scores (log odds up to a constant), best first.
        probability: How probable it is that the first one is meant; 0 where there is none.
        accepted: Whether that is probable enough.
    """

    ranked: tuple[tuple[str, float], ...]
    probability: float
    accepted: bool


@dataclass(frozen=True, slots=True)
class MatcherWeights:
    """Two linear models and a threshold.

    Attributes:
        ranking: Scores a candidate by its features.
        acceptance: Reads signals and contradictions: whether the best candidate is meant.
        threshold: The best candidate is accepted from this probability on.
    """

    ranking: Logistic
    acceptance: Logistic
    threshold: float

    def judge(self, features: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """The score of each candidate, and how probable it is that the best one is meant, not another or none."""
        scores = self.ranking.log_odds(features)
        return scores, float(self.acceptance.probabilities(evidence(features, scores)))

    def match(self, found: Described) -> Matched:
        """Rank the candidates of a name."""
        if not found.keys:
            return Matched((), 0.0, accepted=False)
        scores, probability = self.judge(found.features)
        ranked = tuple((found.keys[place], float(scores[place])) for place in np.argsort(-scores, kind="stable"))
        return Matched(ranked, probability, probability >= self.threshold)

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        models = {"ranking": self.ranking.content, "acceptance": self.acceptance.content}
        return (json.dumps(models | {"threshold": self.threshold}, indent=1) + "\n").encode()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "MatcherWeights":
        """Read the weights from a file.

        Raises:
            WeightsError: The file is missing or was made for other features.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            ranking = Logistic.of(content["ranking"], FEATURES)
            acceptance = Logistic.of(content["acceptance"], (*SIGNALS, *CONTRADICTIONS))
            return cls(ranking, acceptance, float(content["threshold"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The matcher {path} cannot be read ({error!r}). Train it again with `footnote train catalog`."
            raise WeightsError(message) from error


def evidence(features: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """What acceptance reads, in the order of `SIGNALS` and `CONTRADICTIONS`."""
    order = np.argsort(-scores, kind="stable")
    best = scores[order[0]]
    lead = min(best - scores[order[1]], MOST_LEAD) if len(order) > 1 else MOST_LEAD
    mass = np.log(np.exp(scores - best).sum())
    return np.array([best, lead, -mass, best + mass, *features[order[0], _COLUMNS]])
