"""History in retrieval: what was said before is searched as far as the question goes on from it."""

from graph.retrieval.history.memory import Exchange, Memory, exchanges_of

__all__ = ["Exchange", "Memory", "exchanges_of"]
