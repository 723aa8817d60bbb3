"""The graph of a turn as a picture, made by the local graphviz; nothing leaves the machine."""

from typing import TYPE_CHECKING

import graphviz

from app.errors import MissingProgramError

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph

INK, PAPER, EDGE = "#1f2a30", "#eef3f1", "#5d6b70"


def draw(graph: "Graph") -> bytes:
    """Draw a graph as PNG.

    Raises:
        MissingProgramError: The program `dot` is not installed.
    """
    picture = graphviz.Digraph(
        graph_attr={"rankdir": "TB", "dpi": "160", "nodesep": "0.4", "ranksep": "0.45"},
        node_attr={"shape": "box", "style": "rounded,filled", "fillcolor": PAPER, "color": EDGE, "fontcolor": INK},
        edge_attr={"color": EDGE, "arrowsize": "0.7"},
    )
    for name in graph.nodes:
        end = name in {"__start__", "__end__"}
        picture.node(name, name.strip("_"), **({"shape": "plaintext", "style": ""} if end else {}))
    for edge in graph.edges:
        picture.edge(edge.source, edge.target, style="dashed" if edge.conditional else "solid")
    try:
        return bytes(picture.pipe(format="png"))
    except graphviz.ExecutableNotFound as error:
        program = "dot"
        raise MissingProgramError(program, "graphviz") from error
