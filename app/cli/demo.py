"""`footnote demo` and `footnote serve`: the chat page."""

from typing import Annotated

import typer

from app.cli.console import IndexOption, err

PortOption = Annotated[
    int | None, typer.Option(help="Port of the page; by default 8501 or the next free one.", min=1, max=65535)
]
HostOption = Annotated[
    str | None,
    typer.Option(
        "--host",
        help="Address the page listens on; 0.0.0.0 lets others reach it and wants a password (footnote password). "
        "Default: the setting `serve.host`, this machine alone.",
        show_default=False,
    ),
]
LlmOption = Annotated[
    str | None,
    typer.Option(
        "--llm",
        help="Serve this model with vLLM as well, and answer with it. Its log: .footnote/vllm.log.",
        metavar="MODEL",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("demo", epilog="Example: footnote demo --port 8600")(demo)
    app.command("serve", epilog="Example: footnote serve --index my-shop")(serve)


def demo(
    *,
    index: Annotated[str, typer.Option(help="Name or folder of the demo shop's index.")] = "demo",
    port: PortOption = None,
    host: HostOption = None,
    llm: LlmOption = None,
    no_serve: Annotated[
        bool, typer.Option("--no-serve", help="Only make the index; with --llm, see whether there is a GPU.")
    ] = False,
) -> None:
    """Open the demo shop: index it where that is not done yet, then serve its chat page."""
    from app.cli.ingest import ingest_with_progress  # noqa: PLC0415 - heavy
    from app.demo import shop_path  # noqa: PLC0415
    from app.settings import index_path  # noqa: PLC0415

    if llm is not None:
        _check_servable(llm, needs_gpu=no_serve)
    if not no_serve:
        _listening(host)
    report = ingest_with_progress([shop_path()], index_path(index))
    state = "up to date" if report.unchanged else f"built in {report.seconds:.0f} s"
    err().print(f"The demo shop's index is {state}: {report.products} products in {index_path(index)}")
    if not no_serve:
        serve(index=index, port=port, host=host, llm=llm)


def serve(
    *, index: IndexOption = None, port: PortOption = None, host: HostOption = None, llm: LlmOption = None
) -> None:
    """Serve the chat page over an index, until Ctrl-C."""
    from app.serving import free_port, serve_page  # noqa: PLC0415 - heavy
    from app.settings import Settings, index_path  # noqa: PLC0415
    from ingestion.generations import latest_generation  # noqa: PLC0415

    settings, host = Settings.load(), _listening(host)
    folder = index_path(index or settings.index)
    latest_generation(folder)
    # Refused before a model is loaded, which takes minutes.
    port = free_port(port, host)

    def tell(address: str) -> None:
        err().print(f"The chat is served at {address} (Ctrl-C ends it)")

    if llm is None:
        serve_page(folder, port, tell, host=host)
        return
    from app.cli.model_server import model_server  # noqa: PLC0415 - heavy

    with model_server(llm, settings) as variables:
        serve_page(folder, port, tell, variables, host)


def _listening(host: str | None) -> str:
    """The address to listen on, which wants a password where others reach it.

    Raises:
        NoPasswordError: There is none.
        UnusablePasswordError: It cannot be used.
    """
    from app.access.options import is_local  # noqa: PLC0415 - only where the page is served
    from app.access.password import NoPasswordError, PasswordCheck  # noqa: PLC0415
    from app.settings import Settings  # noqa: PLC0415

    options = Settings.load().serve
    host = host or options.host
    if options.password is not None:
        PasswordCheck(options.password.get_secret_value())
    elif not is_local(host):
        raise NoPasswordError(host)
    return host


def _check_servable(model: str, *, needs_gpu: bool) -> None:
    """See, before long work, whether a model can be served.

    Raises:
        NoModelError: None is named.
        NoGpuError: There is nothing to serve it on.
    """
    from app.llm.recommended_models import required_model  # noqa: PLC0415
    from app.llm.server_process import require_gpu  # noqa: PLC0415 - heavy

    required_model(model)
    if needs_gpu:
        require_gpu()
