"""Escalation: when a person takes over, and what is said of it."""

from graph.answering.candidate import paragraph, remark
from graph.draft import Draft
from graph.parts import Context
from graph.state import TurnState
from graph.turn import Escalation

HAND_OVER = "I've also passed this on to a colleague, who will come back to you."


def escalation_of(state: TurnState, draft: Draft, parts: Context) -> Escalation | None:
    """Open a ticket when the user asked for a person; nothing otherwise."""
    if not state["live_agent"] and draft.outcome != "handoff":
        return None
    earlier = [turn["query"] for turn in state["discourse"].get("turns", [])][-3:]
    summary = " / ".join([*earlier, state["query"]])
    return parts.desk.open_ticket("the customer asked for a person", summary)


def with_hand_over(draft: Draft, escalation: Escalation | None) -> Draft:
    """Say beside an answer that a person takes over, too."""
    if escalation is None or draft.outcome == "handoff":
        return draft
    return draft.model_copy(update={"blocks": [*draft.blocks, paragraph(remark(HAND_OVER))]})
