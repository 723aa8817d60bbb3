"""Classify the question and choose the branch by entropy."""

from typing import Any

from langgraph.runtime import Runtime

from graph.intents.entropy import classify
from graph.parts import Context
from graph.state import TurnState


def intent(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Probabilities over the intents, their entropy, and what it selects."""
    parts = runtime.context
    result = classify(
        state["parsed"].questions,
        parts.intents,
        parts.options,
        searchable=state["searchable"],
        live_agent=state["live_agent"],
    )
    return {"intent": result}
