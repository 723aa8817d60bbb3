"""Rank what the parallel retrievals found and cut it to the budget."""

from typing import Any

from langgraph.runtime import Runtime

from graph.live.facts import with_live_facts
from graph.parts import Context
from graph.retrieval.filters import narrowest
from graph.retrieval.reduction import merged, reduce_hits
from graph.state import TurnState
from graph.turn import Retrieved, User


def reduce(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Best first, near-duplicates removed, the narrowest regional rule alone, several perspectives kept."""
    parts = runtime.context
    found = with_live_facts(merged(state["hits"], parts.knowledge), state, parts)
    user = User.model_validate(state["user"])
    found = narrowest(found, user, parts.knowledge.regions, state["standalone_query"])
    kept = reduce_hits(found, parts.options.evidence_limit)
    return {"retrieved": [Retrieved(evidence_id=item.evidence_id, score=score).model_dump() for item, score in kept]}
