"""Start the turn and make the question stand alone."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph.discourse import Discourse
from graph.parts import Context
from graph.retrieval.history import Exchange, Memory
from graph.retrieval.history.passages import ShopPassages
from graph.state import Recalled, TurnState
from graph.turn import User


def rewrite(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Resolve what the question leaves unsaid, and forget what the last turn left in the state."""
    parts = runtime.context
    discourse = Discourse.model_validate(state.get("discourse", {}))
    user = User.model_validate(state.get("user", {}))
    result = parts.rewriter.rewrite(state["query"], discourse, user, parts.knowledge.products)
    exchanges = [Exchange(turn.query, (turn.answer,), turn.continues) for turn in discourse.turns]
    memory = Memory(parts.encoder, ShopPassages(parts.knowledge))
    continues = memory.continues(state["query"], exchanges)
    recalled = memory.recall(continues, exchanges)
    discourse = discourse.model_copy(update={"role": result.role or discourse.role})
    user = user.model_copy(update={"role": result.role or user.role or discourse.role})
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
        "continues": round(continues, 4),
        "recalled": [Recalled(text=one.text, weight=round(one.weight, 4)) for one in recalled],
        "widened": False,
        "hits": Overwrite([]),
        "live_calls": Overwrite([]),
        "live_facts": Overwrite({}),
        "retrieved": [],
        "draft": None,
        "dropped": [],
        "timings_ms": Overwrite({}),
    }
