"""The matcher: ranks a catalog's names by how likely a name from elsewhere means them, and says how sure that is."""

from dataclasses import dataclass

from graph.catalog.matching.candidates import CandidateSearch
from graph.catalog.matching.judging import judge
from graph.catalog.matching.weights import MatcherWeights
from graph.catalog.names import NameIndex


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
