"""Write the audit row: the turn, what it cited, and what the verifier dropped."""

from typing import Any

from langgraph.runtime import Runtime

from graph.live import read_evidence
from graph.parts import Context
from graph.state import TurnState


def record(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Keep the turn with the full text of its sources, so that they open for as long as the thread does."""
    parts = runtime.context
    turn = state["turn"].model_copy(update={"timings_ms": state["timings_ms"]})
    cited = [citation.evidence_id for citation in turn.citations]
    counted = [key for citation in turn.citations if citation.derived for key in citation.derived.of]
    sources = read_evidence(list(dict.fromkeys([*cited, *counted])), state, parts.knowledge)
    parts.recorder.record(turn, sources, state["dropped"])
    return {"turn": turn}
