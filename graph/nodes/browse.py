"""Answer what is not a question about evidence: fitting products as cited cards, or small talk."""

from typing import Any

from langgraph.runtime import Runtime

from graph.browsing.cards import asks_to_browse, browse_draft, wish_met
from graph.browsing.request import request_of
from graph.parts import Context
from graph.state import TurnState
from graph.verification.admission import admit_sentences


def browse(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Products that fit what was asked for; none for small talk, and no draft for what may be answered after all."""
    parts = runtime.context
    request = request_of(state, parts.knowledge.products)
    draft = browse_draft(request, parts) if asks_to_browse(request) else wish_met(request, parts)
    if draft is None:
        return {"draft": None}
    evidence = {item.evidence_id: item for item in parts.knowledge.evidence(draft.sources)}
    admitted, dropped = admit_sentences(draft, evidence, parts.knowledge.products, parts.verifier)
    return {"draft": admitted, "dropped": dropped}
