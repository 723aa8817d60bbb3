"""Hand a turn over to a person when that is all the user wants."""

from typing import Any

from langgraph.runtime import Runtime

from graph.answering.candidate import paragraph, remark
from graph.draft import Draft
from graph.language.locale import reply
from graph.parts import Context
from graph.state import TurnState


def hand_off(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:  # noqa: ARG001 - the signature of a node
    """Say that a person takes over; `conclude` opens the ticket."""
    draft = Draft(outcome="handoff", blocks=[paragraph(remark(reply("handed_off")))], confidence=1.0)
    return {"draft": draft, "dropped": []}
