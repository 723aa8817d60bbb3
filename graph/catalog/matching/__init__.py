"""Product matching: which product of the catalog a name from elsewhere means, and whether any."""

from graph.catalog.matching.matcher import CandidateSearch, Matched, MatcherWeights

__all__ = ["CandidateSearch", "Matched", "MatcherWeights"]
