"""The command line as a whole: its commands, those of other packages, and what happens to errors."""

import os
import sys
import traceback
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Annotated

import typer

from app.cli.ask import ask, chat, evidence
from app.cli.audit import audit
from app.cli.console import complain
from app.cli.forget import forget
from app.cli.index import info, ingest, rollback
from app.cli.serve import demo, password, serve
from app.cli.vllm import vllm
from app.cli.webhook import failed, test
from app.errors import AppError, InputError

COMMANDS = "footnote.commands"
"""Entry-point group; each entry is a callable that takes the Typer application and adds to it."""

ERROR_LOG = Path(".footnote/error.log")


def main() -> None:
    """Run the command line; every error ends in one line and an exit status, never in a traceback."""
    try:
        application()(prog_name="footnote")
    except KeyboardInterrupt:
        status: int | str | None = 130
    except Exception as error:  # noqa: BLE001 - the last place where an error can be put in words
        status = explain(error)
    except SystemExit as end:
        status = end.code
    else:
        status = 0
    _leave_abandoned_turns(status)
    sys.exit(status)


def _leave_abandoned_turns(status: int | str | None) -> None:
    """Do not wait for a turn that ran past its limit, as a process does for its threads."""
    turns = sys.modules.get("app.turns")
    if turns is not None and turns.some_still_run() and isinstance(status, int):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def application() -> typer.Typer:
    """All commands."""
    app = typer.Typer(
        name="footnote",
        help="A shop assistant whose every sentence carries its source.",
        epilog='Start with: footnote demo · or: footnote ingest SHOP && footnote ask "How heavy is the Kestrel 2?"',
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    index = typer.Typer(no_args_is_help=True, help="Look into an index, or go back to what it held.")
    webhook = typer.Typer(no_args_is_help=True, help="Try what the shop's own system is told by, and see what failed.")
    for group, command, epilog in (
        (app, demo, "Example: footnote demo --port 8600"),
        (app, serve, "Example: footnote serve --index my-shop"),
        (app, password, 'Example: export FOOTNOTE_SERVE__PASSWORD="$(footnote password)"'),
        (app, ingest, "Example: footnote ingest ./my-shop ./manuals --index my-shop --report report.json"),
        (index, info, "Example: footnote index info --index demo"),
        (index, rollback, "Example: footnote index rollback --index my-shop"),
        (app, ask, 'Example: footnote ask "Is the Heron 2 waterproof?" --index demo --explain'),
        (app, chat, "Example: footnote chat --index demo"),
        (app, evidence, "Example: footnote evidence spec:aurora-x2 --index demo --json"),
        (app, audit, "Example: footnote audit TURN · or: footnote audit TURN --replay"),
        (app, graph, "Example: footnote graph > graph.mmd"),
        (app, vllm, "Example: footnote vllm --model Qwen/Qwen3-8B · then: footnote vllm --check"),
        (app, forget, "Example: footnote forget --all-before 2026-01-31"),
        (webhook, test, "Example: footnote webhook test"),
        (webhook, failed, "Example: footnote webhook failed"),
    ):
        group.command(epilog=epilog)(command)
    app.add_typer(index, name="index")
    app.add_typer(webhook, name="webhook")
    for entry in entry_points(group=COMMANDS):
        try:
            entry.load()(app)
        except Exception as error:  # noqa: BLE001 - a broken extension must not take the others with it
            complain(f"the commands of {entry.value} are left out: {error}")
    return app


def graph() -> None:
    """Print the graph of a turn as Mermaid text."""
    from graph import build_graph  # noqa: PLC0415 - heavy

    typer.echo(build_graph().get_graph().draw_mermaid())


def explain(error: Exception) -> int:
    """Say on standard error what went wrong, and return the exit status."""
    from ingestion.errors import (  # noqa: PLC0415 - only when something fails
        IngestError,
        KnowledgeError,
        MissingIndexError,
        MissingPathError,
        NothingToIngestError,
    )

    if isinstance(error, InputError | MissingPathError | NothingToIngestError):
        complain(str(error))
        return 2
    if isinstance(error, MissingIndexError):
        complain(f"{error} Or try the demo shop: footnote demo, then --index demo")
        return 1
    if isinstance(error, AppError | IngestError | KnowledgeError):
        complain(str(error))
        return 1
    complain(f"this should not have happened: {type(error).__name__}: {error}. {_logged(error)}")
    return 1


def _logged(error: Exception) -> str:
    from app.storage.databases import make_private_file, make_private_folder  # noqa: PLC0415 - only when something fails
    from app.storage.masking import masked  # noqa: PLC0415

    try:
        make_private_folder(ERROR_LOG.parent)
        make_private_file(ERROR_LOG)
        text = masked("".join(traceback.format_exception(error)))
        ERROR_LOG.write_text(text, encoding="utf-8", errors="replace")
    except OSError:
        return "The details could not be written to a file either."
    return f"The details are in {ERROR_LOG}; please report them."


def _options(
    *,
    show_version: Annotated[
        bool, typer.Option("--version", callback=lambda wanted: _print_version(wanted=wanted), is_eager=True)
    ] = False,
) -> None:
    """A shop assistant whose every sentence carries its source."""


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"footnote {version('footnote')}")
        raise typer.Exit
