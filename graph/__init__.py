"""The turn: a state graph from a customer's words to a cited answer, and its search as a retriever."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.build import build_graph
    from graph.retriever import open_retriever

__all__ = ["build_graph", "open_retriever"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attributes have any type
    """Load langgraph only when the graph is built, so that settings and shapes stay light."""
    if name == "build_graph":
        from graph.build import build_graph  # noqa: PLC0415 - the point of this function

        return build_graph
    if name == "open_retriever":
        from graph.retriever import open_retriever  # noqa: PLC0415 - as above

        return open_retriever
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
