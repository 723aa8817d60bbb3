"""The matcher: from a query to the product it means, and how probable that is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from graph.catalog.matching.features import FEATURES, candidate_features, resemblances
from graph.catalog.matching.profile import COLOURS, Profile, product_profile, query_profile
from graph.catalog.names import EXTENSIONS, NameIndex, cut_repeated, other_names
from graph.catalog.units import is_measure, units
from graph.language.lexicon import ARTICLES, CONJUNCTIONS, PREPOSITIONS

CANDIDATES = 20
_SURFACES = 64
_LEAST_RARITY = 0.02
_REMEMBERED = 16384


@dataclass(frozen=True, slots=True)
class Described:
    """The candidates of a query.

    Attributes:
        query: The query.
        keys: Product ids, by what their names share with the query, most first.
        names: For each its name or the alias that shares the most with the query.
        own_names: For each its name.
        features: How each compares with the query, shape `(len(keys), len(FEATURES))`.
    """

    query: Profile
    keys: Sequence[str]
    names: Sequence[Profile]
    own_names: Sequence[Profile]
    features: NDArray[np.float64]


class CandidateSearch:
    """Finds and describes candidates over a catalog's index of names; what was read of products is remembered.

    Args:
        names: The index.
    """

    def __init__(self, names: NameIndex) -> None:
        self._names = names
        self._makers = names.makers
        self._profile = lru_cache(maxsize=_REMEMBERED)(self._read)
        self._rarity = lru_cache(maxsize=_REMEMBERED)(self._weigh)

    def describe(self, text: str) -> Described:
        """The candidates of a name from elsewhere; none where no name shares a unit with it."""
        wanted = {unit.text: 1.0 for unit in units(text, self._names)}
        found = self._names.candidates(wanted, _SURFACES)
        said = {surface.product_id: surface.units for surface in reversed(found)}
        keys = list(dict.fromkeys(surface.product_id for surface in found))[:CANDIDATES]
        query = query_profile(text, self._names)
        if not keys:
            return Described(query, (), (), (), np.zeros((0, len(FEATURES))))
        names = [self._profile(key, self._spoken(key, said[key])) for key in keys]
        own = [self._profile(key, self._names.products[key].name) for key in keys]
        return Described(query, keys, names, own, candidate_features(query, names, self._rarity, self._makers))

    def _spoken(self, key: str, said: tuple[str, ...]) -> str:
        """The alias of a product that has these units; its name where none has."""
        product = self._names.products[key]
        return next((alias for alias in product.aliases if said == cut_repeated(alias)), product.name)

    def _read(self, key: str, name: str) -> Profile:
        """Read a product by one of its names."""
        product = self._names.products[key]
        others = tuple(other for other in (product.name, *other_names(product)) if other != name)
        return product_profile(name, others, product.brand, self._names)

    def _weigh(self, unit: str) -> float:
        return max(self._names.idf(unit) / self._names.most_idf, _LEAST_RARITY)


MODEL_PATH = Path(__file__).with_name("model.json")

SIGNALS = ("score", "lead", "share", "mass")
"""What acceptance reads of the scores: the best one, by how much it leads (at most 4), the logarithm of its share among
all (softmax), and the logarithm of the sum of their exponentials."""
CONTRADICTIONS = (
    "query_coverage",
    "query_only_known",
    "other_numbers",
    "other_amounts",
    "other_colour",
    "other_codes",
    "sibling_codes",
    "other_maker",
)
"""What acceptance reads of the best candidate itself."""
MOST_LEAD = 4.0


class MatcherWeightsError(Exception):
    """The file of the matcher cannot be used."""


@dataclass(frozen=True, slots=True)
class MatcherWeights:
    """Two linear models and a threshold.

    Attributes:
        ranking: A weight for each feature; a candidate's score is the sum, plus `offset`.
        offset: Moves all scores.
        acceptance: A weight for each signal and contradiction; log odds that the best candidate is meant.
        intercept: Log odds where all of these are zero.
        threshold: The best candidate is accepted from this probability on.
    """

    ranking: NDArray[np.float64]
    offset: float
    acceptance: NDArray[np.float64]
    intercept: float
    threshold: float

    def scores(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The score of each candidate."""
        scores: NDArray[np.float64] = features @ self.ranking + self.offset
        return scores

    def probability(self, features: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
        """How probable it is that the best candidate is meant, and not another product or none."""
        log_odds = float(evidence(features, scores) @ self.acceptance) + self.intercept
        return float(1 / (1 + np.exp(-log_odds)))

    def to_json(self) -> str:
        """The file's content, the same for the same weights."""
        content = {
            "ranking": dict(zip(FEATURES, self.ranking.tolist(), strict=True)),
            "offset": self.offset,
            "acceptance": dict(zip((*SIGNALS, *CONTRADICTIONS), self.acceptance.tolist(), strict=True)),
            "intercept": self.intercept,
            "threshold": self.threshold,
        }
        return json.dumps(content, indent=1) + "\n"

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "MatcherWeights":
        """Read the weights from a file.

        Raises:
            MatcherWeightsError: The file is missing or was made for other features.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                ranking=_in_order(content["ranking"], FEATURES),
                offset=float(content["offset"]),
                acceptance=_in_order(content["acceptance"], (*SIGNALS, *CONTRADICTIONS)),
                intercept=float(content["intercept"]),
                threshold=float(content["threshold"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The matcher {path} cannot be read ({error!r}). Train it again with `footnote train catalog`."
            raise MatcherWeightsError(message) from error


def evidence(features: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """What acceptance reads, in the order of `SIGNALS` and `CONTRADICTIONS`."""
    order = np.argsort(-scores, kind="stable")
    best = scores[order[0]]
    lead = min(best - scores[order[1]], MOST_LEAD) if len(order) > 1 else MOST_LEAD
    mass = np.log(np.exp(scores - best).sum())
    columns = [FEATURES.index(name) for name in CONTRADICTIONS]
    return np.array([best, lead, -mass, best + mass, *features[order[0], columns]])


def _in_order(named: Mapping[str, float], names: tuple[str, ...]) -> NDArray[np.float64]:
    if set(named) != set(names):
        message = "it was made for other features"
        raise ValueError(message)
    return np.array([named[name] for name in names], dtype=np.float64)


LONGEST = 6
"""Words of a query up to which each is taken at its word; longer names from elsewhere are noisy."""
_RESEMBLING = 0.5
_BY_THE_WAY = ARTICLES | CONJUNCTIONS | PREPOSITIONS


def contradicts(query: Profile, alias: Profile, name: Profile) -> bool:
    """Whether all that the query does not say of the name is replaced by something else, or an extension is added.

    Args:
        query: What was said.
        alias: What the product is called that is likest to it: its name or an alias, which may be said instead.
        name: Its name.
    """
    if f" {' '.join(alias.units)} " in f" {' '.join(query.units)} ":
        name = alias
    said, own = (
        _content(query.units),
        [unit for unit in _content(name.units) if unit not in name.brand - query.distinct],
    )
    if not own or len(said) > LONGEST:
        return False
    extra, missing = _apart(said, query, name), _apart(own, name, query)
    if not missing:
        return _is_extended(said, name)
    replaced = {
        own[edit.dest_pos]
        for edit in Levenshtein.editops(said, own)
        if edit.tag == "replace" and said[edit.src_pos] in extra
    }
    # Sizes and colours may be left out; what tells the product may not be another word.
    telling = {unit for unit in missing if unit not in COLOURS and not is_measure(unit)} or missing
    return telling <= replaced


def _is_extended(said: Sequence[str], name: Profile) -> bool:
    """Whether the name is said whole, and then an extension that makes it another product's ("X3 *Pro*")."""
    last = max(place for place, unit in enumerate(said) if unit in name.known)
    return last + 1 < len(said) and said[last + 1] in EXTENSIONS


def _content(units: Sequence[str]) -> list[str]:
    return [unit for unit in units if unit not in _BY_THE_WAY]


def _apart(units: Sequence[str], one: Profile, other: Profile) -> set[str]:
    """Units of one name that the other has in no spelling."""
    lacking = {unit for unit in units if unit not in other.known}
    theirs = other.distinct - one.distinct
    return {unit for unit, share in resemblances(lacking, theirs, other.squashed).items() if share < _RESEMBLING}


@dataclass(frozen=True, slots=True)
class MatchJudgement:
    """A judgement of the candidates of a query, of which there is at least one.

    Attributes:
        order: Places of the candidates, best first.
        scores: The score of each candidate.
        probability: How probable it is that the best one is meant; 0 where the query contradicts its name.
        contradicted: Whether it does.
    """

    order: NDArray[np.intp]
    scores: NDArray[np.float64]
    probability: float
    contradicted: bool


def judge(found: Described, weights: MatcherWeights) -> MatchJudgement:
    """Rank candidates and judge the best."""
    scores = weights.scores(found.features)
    order = np.argsort(-scores, kind="stable")
    best = order[0]
    if contradicts(found.query, found.names[best], found.own_names[best]):
        return MatchJudgement(order, scores, 0.0, contradicted=True)
    return MatchJudgement(order, scores, weights.probability(found.features, scores), contradicted=False)


@dataclass(frozen=True, slots=True)
class Matched:
    """What a name from elsewhere may mean.

    Attributes:
        ranked: Product ids and scores (log odds up to a constant), best first.
        probability: How probable it is that the first one is meant; 0 where there is none.
        accepted: Whether that is probable enough.
        contradicted: Whether the name says something else where the first one's tells it from others.
    """

    ranked: tuple[tuple[str, float], ...]
    probability: float
    accepted: bool
    contradicted: bool = False


class NameMatcher:
    """Matches names from elsewhere with the names of a catalog.

    Args:
        names: The index of the catalog's names.
        weights: What was learnt; by default what ships.
    """

    def __init__(self, names: NameIndex, weights: MatcherWeights | None = None) -> None:
        self._candidates = CandidateSearch(names)
        self._weights = weights or MatcherWeights.load()

    def match(self, text: str) -> Matched:
        """Rank the candidates of a name."""
        found = self._candidates.describe(text)
        if not found.keys:
            return Matched((), 0.0, accepted=False)
        judged = judge(found, self._weights)
        ranked = tuple((found.keys[place], float(judged.scores[place])) for place in judged.order)
        accepted = judged.probability >= self._weights.threshold
        return Matched(ranked, judged.probability, accepted, judged.contradicted)
