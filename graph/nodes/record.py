"""Write the audit row: the turn, what it cited, and what the verifier dropped."""

from typing import Any

from langgraph.runtime import Runtime

from graph.live import read_evidence
from graph.parts import Context, Dropped
from graph.state import TurnState
from graph.turn import Turn


def record(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Keep the turn with the full text of its sources, so that they open for as long as the thread does."""
    parts = runtime.context
    turn = Turn.model_validate(state["turn"] | {"timings_ms": state["timings_ms"]})
    cited = [citation.evidence_id for citation in turn.citations]
    counted = [key for citation in turn.citations if citation.derived for key in citation.derived.of]
    sources = read_evidence(list(dict.fromkeys([*cited, *counted])), state, parts.knowledge)
    parts.recorder.record(turn, sources, [Dropped.model_validate(one) for one in state["dropped"]])
    return {"turn": turn.model_dump()}
