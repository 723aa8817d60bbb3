"""The turn: a state graph from a customer's words to a cited answer."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.build import build_graph

__all__ = ["build_graph"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attributes have any type
    """Load langgraph only when the graph is built, so that settings and shapes stay light."""
    if name == "build_graph":
        from graph.build import build_graph  # noqa: PLC0415 - the point of this function

        return build_graph
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
