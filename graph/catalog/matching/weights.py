"""What product matching has learnt, as one small file that people can read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.catalog.matching.features import FEATURES

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
