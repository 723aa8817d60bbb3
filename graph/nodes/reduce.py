"""Rank what the parallel retrievals found and cut it to the budget."""

from typing import Any

from langgraph.runtime import Runtime

from graph.parts import Context
from graph.retrieval.reduction import reduce_hits
from graph.state import TurnState
from graph.turn import Retrieved


def reduce(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Best first, near-duplicates removed, several perspectives kept."""
    kept = reduce_hits(state["hits"], runtime.context)
    return {"retrieved": [Retrieved(evidence_id=key, score=score).model_dump() for key, score in kept]}
