"""`footnote graph`: the graph of a turn, drawn."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.console import err, write_file


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
    from app.graph_drawing import draw  # noqa: PLC0415 - only here

    write_file(png, draw(drawn))
    err().print(f"Drawn in {png}")
