"""Product matching: which product of the catalog a name from elsewhere means, and whether any."""

from graph.catalog.matching.matcher import Matched, NameMatcher

__all__ = ["Matched", "NameMatcher"]
