"""Weigh what was said before by how far the question goes on from it, for the search of the whole shop."""

from typing import Any

from langgraph.runtime import Runtime

from graph.parts import Context
from graph.retrieval.history import Exchange, Memory
from graph.state import TurnState, WeightedText

ANSWER_READ = 200
"""Code points of an answer that are read: what is asked about next is mostly said first."""


def recall(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Earlier turns of the thread that count, each with its weight; none where the subject changed.

    A question about a product has what it needs of the thread in its name, and that product's evidence is read whole.
    """
    if state["catalog"].matches:
        return {}
    parts = runtime.context
    turns = state["discourse"].turns
    exchanges = [Exchange(turn.query, (turn.answer[:ANSWER_READ],), turn.continues) for turn in turns]
    kinds = [parts.options.sources_by_intent.get(intent, frozenset()) for intent in state["intent"].selected]
    memory = Memory(parts.encoder, parts.knowledge, frozenset().union(*kinds))
    continues = memory.continues(state["query"], exchanges)
    recalled = memory.recall(continues, exchanges)
    return {
        "continues": round(continues, 4),
        "recalled": [WeightedText(one.text, round(one.weight, 4)) for one in recalled],
    }
