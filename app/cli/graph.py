"""`footnote graph`: the graph of a turn as text; nothing leaves the machine."""

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("graph", epilog="Example: footnote graph > graph.mmd")(graph)


def graph() -> None:
    """Print the graph of a turn as Mermaid text."""
    from graph import build_graph  # noqa: PLC0415 - heavy

    typer.echo(build_graph().get_graph().draw_mermaid())
