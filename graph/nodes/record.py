"""Write the audit row: the turn, what it cited, and what the verifier dropped."""

from typing import Any

from langgraph.runtime import Runtime

from graph.parts import Context
from graph.state import TurnState
from graph.turn import Turn


def record(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Keep the turn with the full text of its sources, so that they open for as long as the thread does."""
    parts = runtime.context
    turn = Turn.model_validate(state["turn"] | {"timings_ms": state["timings_ms"]})
    cited = list(dict.fromkeys(citation.evidence_id for citation in turn.citations))
    parts.recorder.record(turn, parts.knowledge.evidence(cited), state["dropped"])
    return {"turn": turn.model_dump()}
