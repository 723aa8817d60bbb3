"""Start the turn and make the question stand alone."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph.discourse import Discourse
from graph.parts import Context
from graph.retrieval.search import weighed
from graph.state import Recalled, TurnState
from graph.turn import User


def rewrite(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Resolve what the question leaves unsaid, and forget what the last turn left in the state."""
    parts = runtime.context
    discourse = Discourse.model_validate(state.get("discourse", {}))
    user = User.model_validate(state.get("user", {}))
    result = parts.rewriter.rewrite(state["query"], discourse, user, parts.knowledge.products)
    kept = {"focus": [] if result.leaves and not result.products else discourse.focus}
    discourse = discourse.model_copy(
        update=kept | {"role": result.role or discourse.role, "region": result.region or discourse.region}
    )
    user = user.model_copy(
        update={"role": result.role or user.role or discourse.role, "region": user.region or discourse.region}
    )
    return {
        "user": user.model_dump(),
        "style": state.get("style", "text"),
        "turn_id": state.get("turn_id", ""),
        "discourse": discourse.model_dump(),
        "standalone_query": result.standalone_query,
        "rewritten_by": result.rewritten_by,
        "searchable": result.searchable,
        "live_agent": result.live_agent,
        "resolved": list(result.products),
        "continues": None,
        "recalled": [],
        "refined": [Recalled(text=one.text, weight=one.weight) for one in weighed(result.refined)],
        "widened": False,
        "hits": Overwrite([]),
        "live_calls": Overwrite([]),
        "live_facts": Overwrite({}),
        "retrieved": [],
        "draft": None,
        "dropped": [],
        "streamed": "",
        "beside": {},
        "timings_ms": Overwrite({}),
        "usage": Overwrite(result.usage.model_dump()),
        "degraded": Overwrite([result.degraded] if result.degraded else []),
    }
