"""The graph for `langgraph dev`: that of every turn, with the real parts already in its context."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from functools import cache
from threading import Lock
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from app.settings import Settings, index_path
from app.wiring import Wiring
from graph.build import build_graph
from graph.parts import Context
from graph.state import TurnInput, TurnState

_OPENING = Lock()


class StudioGraph(CompiledStateGraph[TurnState, Context, TurnInput, TurnState]):
    """A turn's graph that brings its own context; the server, which runs and copies it, brings the threads.

    Attributes:
        wiring: Gives the parts of the next turn.
    """

    wiring: Wiring

    @classmethod
    def over(cls, wiring: Wiring) -> "StudioGraph":
        """The graph over an index."""
        graph = cls(**build_graph().__dict__)  # nothing public copies a compiled graph; hence LangGraph's narrow bound
        graph.wiring = wiring
        return graph

    def copy(self, update: dict[str, Any] | None = None) -> "StudioGraph":
        """A copy over the same index."""
        attributes = {name: value for name, value in self.__dict__.items() if name != "wiring"}
        graph = type(self)(**{**attributes, **(update or {})})
        graph.wiring = self.wiring
        return graph

    def stream(self, input: Any, *arguments: Any, **options: Any) -> Iterator[Any]:  # noqa: A002, ANN401 - the parent's
        """Run a turn with the parts of the newest generation."""
        with self.wiring.reading() as context:
            yield from super().stream(_identified(input), *arguments, **{**options, "context": context})

    async def astream(self, input: Any, *arguments: Any, **options: Any) -> AsyncIterator[Any]:  # noqa: A002, ANN401 - the parent's
        """Run a turn with the parts of the newest generation, looked up off the server's loop."""
        reading = self.wiring.reading()
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
    return await asyncio.to_thread(_opened)


def _opened() -> StudioGraph:
    with _OPENING:  # requests that come at once open one
        return _open()


@cache
def _open() -> StudioGraph:
    settings = Settings.load()
    return StudioGraph.over(Wiring(index_path(settings.index), settings))
