"""`footnote demo` and `footnote serve`: the chat page."""

from typing import Annotated

import typer

from app.cli.console import IndexOption, err

PortOption = Annotated[
    int | None, typer.Option(help="Port of the page; by default 8501 or the next free one.", min=1, max=65535)
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("demo", epilog="Example: footnote demo --port 8600")(demo)
    app.command("serve", epilog="Example: footnote serve --index my-shop")(serve)


def demo(
    *,
    index: Annotated[str, typer.Option(help="Name or folder of the demo shop's index.")] = "demo",
    port: PortOption = None,
    no_serve: Annotated[bool, typer.Option("--no-serve", help="Only make the index.")] = False,
) -> None:
    """Open the demo shop: index it where that is not done yet, then serve its chat page."""
    from app.cli.ingest import ingest_with_progress  # noqa: PLC0415 - heavy
    from app.demo import shop_path  # noqa: PLC0415
    from app.settings import index_path  # noqa: PLC0415

    report = ingest_with_progress([shop_path()], index_path(index))
    state = "up to date" if report.unchanged else f"built in {report.seconds:.0f} s"
    err().print(f"The demo shop's index is {state}: {report.products} products in {index_path(index)}")
    if not no_serve:
        serve(index=index, port=port)


def serve(*, index: IndexOption = None, port: PortOption = None) -> None:
    """Serve the chat page over an index, until Ctrl-C."""
    from app.serving import serve_page  # noqa: PLC0415 - heavy
    from app.settings import Settings, index_path  # noqa: PLC0415
    from ingestion.generations import latest_generation  # noqa: PLC0415

    folder = index_path(index or Settings.load().index)
    latest_generation(folder)
    serve_page(folder, port, ready=lambda address: err().print(f"The chat is served at {address} (Ctrl-C ends it)"))
