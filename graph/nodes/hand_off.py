"""Hand a turn over to a person when that is all the user wants."""

from typing import Any

from langgraph.runtime import Runtime

from graph.concluding.escalation import handed_over
from graph.parts import Context
from graph.state import TurnState


def hand_off(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:  # noqa: ARG001 - the signature of a node
    """Say that a person takes over; `conclude` opens the ticket."""
    return {"draft": handed_over(), "dropped": []}
