"""`footnote graph`: the graph of a turn as text, or as a picture by the local graphviz; nothing leaves the machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import err, write_file
from app.errors import MissingProgramError

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph

INK, PAPER, EDGE = "#1f2a30", "#eef3f1", "#5d6b70"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("graph", epilog="Example: footnote graph --png graph.png")(graph)


def graph(
    *,
    png: Annotated[Path | None, typer.Option(help="Draw it into this file with the local graphviz.")] = None,
) -> None:
    """Print the graph of a turn as Mermaid text, or draw it."""
    from graph import build_graph  # noqa: PLC0415 - heavy

    drawn = build_graph().get_graph()
    if png is None:
        typer.echo(drawn.draw_mermaid())
        return
    write_file(png, draw(drawn))
    err().print(f"Drawn in {png}")


def draw(graph: "Graph") -> bytes:
    """Draw a graph as PNG.

    Raises:
        MissingProgramError: The program `dot` is not installed.
    """
    import graphviz  # noqa: PLC0415 - only here

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
