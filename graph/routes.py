"""Where a turn goes next: the branches of the graph."""

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from graph.intents import ALWAYS_WIDENED, NON_DECISION
from graph.live import due_calls
from graph.parts import Context
from graph.state import LiveTask, RetrieveTask, Task, TurnState, products_concerned, products_in_question


def after_intent(state: TurnState) -> Literal["browse", "hand_off", "recall"]:
    """Browse, hand over, or look the question up."""
    branch = state["intent"].branch
    return "hand_off" if branch == "handoff" else "browse" if branch == "non_decision" else "recall"


def after_browse(state: TurnState) -> Literal["recall", "conclude"]:
    """Look up what neither asks for products nor is small talk: it may be answered after all."""
    return "recall" if state["draft"] is None else "conclude"


def after_recall(state: TurnState, runtime: Runtime[Context]) -> list[Send]:
    """Fan out: one retrieval per selected intent and product, and beside them the live backends, all in one node."""
    return _lookups(state, state["intent"].selected or wider_intents(state), runtime.context)


def after_respond(state: TurnState, runtime: Runtime[Context]) -> list[Send] | Literal["conclude"]:
    """Once, when a part of the question found nothing: the next likely intents and the whole shop."""
    if state["widened"] and state.get("draft") is None:
        return _lookups(state, wider_intents(state), runtime.context)
    return "conclude"


def wider_intents(state: TurnState) -> list[str]:
    """The likeliest intent that was not read yet, and those that read the whole shop."""
    distribution = state["intent"].distribution
    read = set(state["intent"].selected)
    rest = [name for name in sorted(distribution, key=lambda n: -distribution[n]) if name != NON_DECISION]
    return list(dict.fromkeys([*[name for name in rest if name not in read][:1], *ALWAYS_WIDENED]))


def _lookups(state: TurnState, intents: list[str], parts: Context) -> list[Send]:
    products = products_in_question(state)
    scopes: list[str | None] = [*products, None]
    task = Task(
        query=state["query"],
        standalone_query=state["standalone_query"],
        products=products,
        concerned=products_concerned(state),
        user=state["user"],
    )
    recalled = [*state["recalled"], *state.get("refined", [])]
    sends = [
        Send("retrieve", RetrieveTask(**task, intent=intent, product_id=product_id, recalled=recalled))
        for intent in intents
        for product_id in scopes
    ]
    calls = due_calls(state, intents, products, parts)
    return [*sends, Send("live", LiveTask(**task, calls=calls))] if calls else sends
