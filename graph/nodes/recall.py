"""Weigh what was said before by how far the question goes on from it, for the search of the whole shop."""

from typing import Any

from langgraph.runtime import Runtime

from graph.discourse import Discourse
from graph.parts import Context
from graph.retrieval.history import Exchange, Memory
from graph.retrieval.history.passages import ShopPassages
from graph.state import Recalled, TurnState


def recall(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Earlier turns of the thread that count, each with its weight; none where the subject changed."""
    parts = runtime.context
    turns = Discourse.model_validate(state["discourse"]).turns
    exchanges = [Exchange(turn.query, (turn.answer,), turn.continues) for turn in turns]
    memory = Memory(parts.encoder, ShopPassages(parts.knowledge))
    continues = memory.continues(state["query"], exchanges)
    recalled = memory.recall(continues, exchanges)
    return {
        "continues": round(continues, 4),
        "recalled": [Recalled(text=one.text, weight=round(one.weight, 4)) for one in recalled],
    }
