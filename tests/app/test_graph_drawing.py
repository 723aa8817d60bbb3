"""The graph as a picture, made on this machine."""

import shutil

import pytest
from langchain_core.runnables.graph import Edge, Graph, Node

from app.cli.graph import draw
from app.errors import MissingProgramError


@pytest.fixture
def graph() -> Graph:
    """Two nodes and an edge."""
    nodes = {name: Node(name, name, None, None) for name in ("rewrite", "intent")}
    return Graph(nodes, [Edge("rewrite", "intent")])


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")
def test_the_picture_is_a_png(graph: Graph) -> None:
    assert draw(graph).startswith(b"\x89PNG")


def test_a_missing_graphviz_is_named(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingProgramError, match="apt install graphviz"):
        draw(graph)
