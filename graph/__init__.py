"""The turn: a state graph from a customer's words to a cited answer, and its search as a retriever."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.build import build_graph
    from graph.retriever import open_retriever

__all__ = ["build_graph", "open_retriever"]


_HOMES = {"build_graph": "graph.build", "open_retriever": "graph.retriever"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attributes have any type
    """Load langgraph only when the graph is built, so that settings and shapes stay light."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
