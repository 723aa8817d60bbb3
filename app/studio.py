"""The graph for `langgraph dev`: that of every turn, with the real parts already in its context."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from threading import Condition
from typing import Any

from cachetools import cached
from langgraph.graph.state import CompiledStateGraph

from app.settings import Settings, index_path
from app.wiring import Wiring
from graph.build import build_graph
from graph.parts import Context
from graph.state import TurnInput, TurnState


class StudioGraph(CompiledStateGraph[TurnState, Context, TurnInput, TurnState]):
    """A turn's graph that brings its own context; the server, which runs and copies it, brings the threads."""

    def stream(self, input: Any, *arguments: Any, **options: Any) -> Iterator[Any]:  # noqa: A002, ANN401 - the parent's
        """Run a turn with the parts of the newest generation."""
        with wiring().reading() as context:
            yield from super().stream(_identified(input), *arguments, **{**options, "context": context})

    async def astream(self, input: Any, *arguments: Any, **options: Any) -> AsyncIterator[Any]:  # noqa: A002, ANN401 - the parent's
        """Run a turn with the parts of the newest generation, looked up off the server's loop."""
        reading = wiring().reading()
        context = await asyncio.to_thread(reading.__enter__)
        try:
            async for part in super().astream(_identified(input), *arguments, **{**options, "context": context}):
                yield part
        finally:
            reading.__exit__(None, None, None)

    def get_context_jsonschema(self) -> dict[str, Any] | None:
        """None: a caller has no context to give."""
        return None


def _identified(turn: Any) -> Any:  # noqa: ANN401 - what a graph may be given
    """A turn's input with an id of its own, under which it is recorded."""
    return {"turn_id": uuid.uuid4().hex, **turn} if isinstance(turn, dict) else turn


async def graph() -> StudioGraph:
    """The graph over the index that settings name; the server asks for it at every request."""
    await asyncio.to_thread(wiring)
    return StudioGraph(
        **build_graph().__dict__
    )  # nothing public copies a compiled graph; hence LangGraph's narrow bound


@cached(cache={}, condition=Condition())
def wiring() -> Wiring:
    """The parts over the index that settings name; requests that come at once open one."""
    settings = Settings.load()
    return Wiring(index_path(settings.index), settings)
