"""The graph: nodes, edges and branches of a turn, as drawn in docs/architecture.md."""

import time
from collections.abc import Callable
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph.budget import check_budget
from graph.nodes.browse import browse
from graph.nodes.catalog_search import catalog_search
from graph.nodes.conclude import conclude
from graph.nodes.hand_off import hand_off
from graph.nodes.intent import intent
from graph.nodes.live import live
from graph.nodes.recall import recall
from graph.nodes.record import record
from graph.nodes.reduce import reduce
from graph.nodes.respond import respond
from graph.nodes.retrieve import retrieve
from graph.nodes.rewrite import rewrite
from graph.parts import Context
from graph.routes import after_browse, after_intent, after_recall, after_respond
from graph.state import TurnInput, TurnState

Update = dict[str, Any]
TurnGraph = CompiledStateGraph[TurnState, Context, TurnInput, TurnState]


def build_graph(checkpointer: BaseCheckpointSaver[str] | None = None) -> TurnGraph:
    """Compile the graph of a turn.

    Args:
        checkpointer: Keeps threads between turns; without one, every turn is a first turn.
    """
    graph = StateGraph(TurnState, context_schema=Context, input_schema=TurnInput)
    for node in (
        rewrite,
        catalog_search,
        intent,
        browse,
        hand_off,
        recall,
        retrieve,
        live,
        reduce,
        respond,
        conclude,
        record,
    ):
        graph.add_node(node.__name__, _timed(node))
    graph.add_edge(START, "rewrite")
    graph.add_edge("rewrite", "catalog_search")
    graph.add_edge("catalog_search", "intent")
    graph.add_conditional_edges("intent", after_intent, ["browse", "hand_off", "recall"])
    # Both in one step: `reduce` waits for all of them.
    graph.add_conditional_edges("recall", after_recall, ["retrieve", "live"])
    graph.add_edge("retrieve", "reduce")
    graph.add_edge("live", "reduce")
    graph.add_edge("reduce", "respond")
    graph.add_conditional_edges("respond", after_respond, ["retrieve", "live", "conclude"])
    graph.add_conditional_edges("browse", after_browse, ["recall", "conclude"])
    graph.add_edge("hand_off", "conclude")
    graph.add_edge("conclude", "record")
    graph.add_edge("record", END)
    return graph.compile(checkpointer=checkpointer, name="footnote")


def _timed(node: Callable[[Any, Runtime[Context]], Update]) -> Callable[..., Update]:
    """Add the node's own milliseconds to its update; a turn that is over begins no node."""

    def run(state: TurnState, *, runtime: Runtime[Context]) -> Update:
        check_budget()
        start = time.perf_counter()
        update = node(state, runtime)
        spent = {node.__name__: (time.perf_counter() - start) * 1000}
        # The node that starts a turn forgets the times of the last one.
        own = update.get("timings_ms", {})
        return update | {"timings_ms": Overwrite(spent) if isinstance(own, Overwrite) else own | spent}

    return run
