"""Running whole turns through the real graph with given parts."""

from typing import TYPE_CHECKING, Any

from graph.build import TurnGraph, build_graph
from graph.parts import Context
from graph.state import TurnInput
from graph.turn import Style, Turn, User

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


def run(
    context: Context,
    query: str,
    *,
    graph: TurnGraph | None = None,
    thread: str = "t1",
    style: Style = "text",
    user: User | None = None,
) -> tuple[Turn, dict[str, Any], list[str]]:
    """One turn: what outsiders see, the state it ends in, and the pieces it streamed."""
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    given = TurnInput(query=query, style=style, turn_id="1")
    if user is not None:
        given["user"] = user
    pieces: list[str] = []
    last: dict[str, Any] = {}
    for part in (graph or build_graph()).stream(
        given, config, context=context, stream_mode=["custom", "values"], version="v2"
    ):
        if part["type"] == "custom":
            pieces.append(part["data"].text)
        elif part["type"] == "values":
            last = dict(part["data"])
    return last["turn"], last, pieces


def ask(context: Context, query: str, **given: Any) -> Turn:  # noqa: ANN401 - the arguments of `run`
    """One turn as outsiders see it."""
    return run(context, query, **given)[0]
