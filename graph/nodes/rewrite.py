"""Start the turn and make the question stand alone."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph.discourse import Discourse
from graph.parts import Context
from graph.retrieval.search import weighed
from graph.state import TurnState
from graph.turn import SideOutputs, User


def rewrite(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Resolve what the question leaves unsaid, and forget what the last turn left in the state."""
    parts = runtime.context
    # A caller over the network gives plain data, and so does a conversation kept by an earlier version.
    discourse = Discourse.model_validate(state.get("discourse", {}))
    user = User.model_validate(state.get("user", {}))
    result = parts.rewriter.rewrite(state["query"], discourse, user, parts.knowledge.products)
    discourse = discourse.model_copy(
        update={"role": result.role or discourse.role, "region": result.region or discourse.region}
    )
    user = user.model_copy(
        update={"role": result.role or user.role or discourse.role, "region": user.region or discourse.region}
    )
    return {
        "user": user,
        "style": state.get("style", "text"),
        "turn_id": state.get("turn_id", ""),
        "discourse": discourse,
        "standalone_query": result.standalone_query,
        "rewritten_by": result.rewritten_by,
        "searchable": result.searchable,
        "live_agent": result.live_agent,
        "resolved": list(result.products),
        "continues": None,
        "recalled": [],
        "refined": weighed(result.refined),
        "widened": False,
        "hits": Overwrite([]),
        "live_calls": Overwrite([]),
        "live_facts": Overwrite({}),
        "retrieved": [],
        "draft": None,
        "dropped": [],
        "streamed": "",
        "beside": SideOutputs(),
        "timings_ms": Overwrite({}),
        "usage": Overwrite(result.usage),
        "degraded": Overwrite([result.degraded] if result.degraded else []),
    }
