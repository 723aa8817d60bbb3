"""`footnote demo`, `footnote serve` and `footnote password`: the chat page, as a process of its own."""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from app.access import LOCALHOST, NoPasswordError, PasswordCheck, hashed, is_local
from app.child_server import ChildServer, ServerFailedError, free_port
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
        help="Serve this model with vLLM as well, and answer with it; footnote-writer is small enough for a machine "
        "without a GPU. Its log: .footnote/vllm.log.",
        metavar="MODEL",
        show_default=False,
    ),
]

PORTS = range(8501, 8600)
STARTUP_S = 60.0


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
    from app.cli.index import ingest_with_progress  # noqa: PLC0415 - heavy
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
    from app.settings import Settings, index_path  # noqa: PLC0415 - heavy
    from ingestion.generations import latest_generation  # noqa: PLC0415

    settings, host = Settings.load(), _listening(host)
    folder = index_path(index or settings.index)
    latest_generation(folder)
    # Refused before a model is loaded, which takes minutes.
    port = free_port([port] if port else PORTS, host)

    def tell(address: str) -> None:
        err().print(f"The chat is served at {address} (Ctrl-C ends it)")

    if llm is None:
        serve_page(folder, port, tell, host=host)
        return
    from app.cli.vllm import model_server  # noqa: PLC0415 - heavy

    with model_server(llm, settings) as variables:
        serve_page(folder, port, tell, variables, host)


def _listening(host: str | None) -> str:
    """The address to listen on, which wants a password where others reach it.

    Raises:
        NoPasswordError: There is none.
        UnusablePasswordError: It cannot be used.
    """
    from app.settings import Settings  # noqa: PLC0415 - heavy

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
        InputError: None is named.
        AppError: There is nothing to serve it on.
    """
    from app.llm import writer  # noqa: PLC0415 - heavy, with the next
    from app.llm.vllm import require_gpu, required_model  # noqa: PLC0415

    if required_model(model) != writer.NAME and needs_gpu:
        require_gpu()


def password() -> None:
    """Print the hash of a password, which FOOTNOTE_SERVE__PASSWORD takes in its place.

    It is asked for, unseen; where nobody can be asked, it is the first line of standard input.
    """
    if sys.stdin.isatty():
        given = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        given = sys.stdin.readline().rstrip("\r\n")
    typer.echo(hashed(given))
    err().print(
        "Visitors sign in with the password; the setting FOOTNOTE_SERVE__PASSWORD takes this hash.", style="dim"
    )


def serve_page(
    index: Path,
    port: int,
    ready: Callable[[str], object],
    settings: Mapping[str, str] | None = None,
    host: str = LOCALHOST,
) -> None:
    """Serve the page over an index until it is interrupted.

    Args:
        index: The index folder.
        port: The port.
        ready: Called with the page's address once it answers.
        settings: Environment variables of the page beside our own.
        host: The address it listens on.

    Raises:
        ServerFailedError: The page's process failed.
    """
    address = f"http://{_reached_at(host)}:{port}"
    page = ChildServer(
        name="The page",
        command=_command(host, port),
        variables={**(settings or {}), "FOOTNOTE_INDEX": str(index.resolve())},
        health=f"{address}/_stcore/health",
        limit_s=STARTUP_S,
    )
    with suppress(KeyboardInterrupt), page.running() as process:
        ready(address)
        if status := max(process.wait(), 0):
            message = f"The page ended with status {status}. What it said stands above."
            raise ServerFailedError(message)


def _command(host: str, port: int) -> list[str]:
    spec = find_spec("streamlit_app")
    assert spec is not None, "streamlit_app.py is installed with this package"
    assert spec.origin is not None
    where = ["--server.address", host, "--server.port", str(port)]
    # -P: no module is taken from the working folder.
    return [sys.executable, "-P", "-m", "streamlit", "run", spec.origin, *where, "--server.headless=true"]


def _reached_at(host: str) -> str:
    """The name under which this machine reaches an address that it listens on."""
    if host in ("", "0.0.0.0", "::", LOCALHOST):  # noqa: S104 - compared, not listened on
        return "localhost"
    return f"[{host}]" if ":" in host else host
