"""The graph that `langgraph dev` loads: whole, with its context, over threads that the server keeps."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

import app.studio
from app.studio import StudioGraph
from graph.state import TurnInput
from graph.turn import Turn

ROOT = Path(__file__).parents[2]


@pytest.fixture
def graph(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StudioGraph]:
    """The graph over the small shop."""
    monkeypatch.setenv("FOOTNOTE_INDEX", str(index))
    monkeypatch.setenv("FOOTNOTE_RECORDS", str(tmp_path / "records.sqlite"))
    yield asyncio.run(app.studio.graph())
    app.studio.wiring().close()
    app.studio.wiring.cache.clear()


def test_the_file_names_a_factory_that_exists() -> None:
    (where,) = json.loads((ROOT / "langgraph.json").read_text())["graphs"].values()
    path, _, name = where.partition(":")
    assert f"async def {name}() -> StudioGraph:" in (ROOT / path).read_text()


def test_it_answers_without_being_given_a_context(graph: StudioGraph) -> None:
    assert "172 g" in graph.invoke({"query": "How heavy is the Aurora X2?"})["turn"].answer


def test_a_servers_copy_keeps_threads_and_ids_apart(graph: StudioGraph) -> None:
    served = graph.copy({"checkpointer": InMemorySaver()})

    async def talk() -> list[Turn]:
        config: RunnableConfig = {"configurable": {"thread_id": "t"}}
        questions = (TurnInput(query="How heavy is the Aurora X2?"), TurnInput(query="and the battery?"))
        return [(await served.ainvoke(question, config))["turn"] for question in questions]

    first, second = asyncio.run(talk())
    assert "4,500 mAh" in second.answer
    assert len({first.turn_id, second.turn_id, ""}) == 3


def test_it_draws_every_node_and_describes_its_input(graph: StudioGraph) -> None:
    assert {"rewrite", "retrieve", "record"} <= graph.get_graph().nodes.keys()
    assert "query" in graph.get_input_jsonschema()["properties"]
