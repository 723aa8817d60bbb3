"""History in retrieval: what was said before is searched as far as the question goes on from it."""

from graph.retrieval.history.exchanges import Exchange, WeightedText, exchanges_of
from graph.retrieval.history.memory import Memory

__all__ = ["Exchange", "Memory", "WeightedText", "exchanges_of"]
