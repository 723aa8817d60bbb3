"""The matcher: from a query to the product it means, and how probable that is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.catalog.matching.features import FEATURES, Profile, candidate_features, profile
from graph.catalog.names import NameIndex, cut_repeated, other_names
from graph.catalog.units import units
from graph.trained import Logistic, WeightsError

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
