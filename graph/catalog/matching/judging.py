"""Judging: from described candidates to the best one and how probable it is that it is meant."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.catalog.matching.candidates import Described
from graph.catalog.matching.contradiction import contradicts
from graph.catalog.matching.weights import MatcherWeights


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
