"""`footnote forget`: delete what is kept of conversations."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.console import JsonOption, err, out, print_json
from app.errors import InputError

if TYPE_CHECKING:
    from app.settings import Settings
    from app.storage.retention import Forgotten


def forget(
    *,
    thread: Annotated[list[str] | None, typer.Option(help="A conversation, by its id; may be repeated.")] = None,
    owner: Annotated[
        str | None,
        typer.Option(
            help="All conversations of a visitor, by the id their sidebar shows; `local`: of the command line."
        ),
    ] = None,
    all_before: Annotated[
        datetime | None,
        typer.Option(
            help="All that was said before this day or moment, UTC.", formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Delete conversations from records, memory and tickets for good, and say what went."""
    from app.settings import Settings  # noqa: PLC0415 - heavy, with the next
    from app.storage.retention import KINDS  # noqa: PLC0415

    if (bool(thread) + (owner is not None) + (all_before is not None)) != 1:
        message = "Say what to forget, in one way: --thread ID (may be repeated), --owner ID or --all-before DATE."
        raise InputError(message)
    gone, overwritten = _forget(Settings.load(), thread or [], owner, all_before)
    if as_json:
        print_json({**{name: gone[name] for name in KINDS}, "overwritten": overwritten})
        return
    counts = [f"{gone[name]:,} {name}" for name in KINDS if gone[name]]
    out().print(f"Deleted: {', '.join(counts)}." if counts else "Nothing of that was kept.")
    if not overwritten:
        err().print(
            "The files were in use: bytes of it may be left in them. Run this once more while no page is served."
        )


def _forget(
    settings: "Settings", threads: list[str], owner: str | None, before: datetime | None
) -> "tuple[Forgotten, bool]":
    from app.storage.retention import Forgotten, open_archive  # noqa: PLC0415 - heavy

    if not settings.records.exists() and not settings.threads.exists():
        return Forgotten(), True
    with open_archive(settings) as archive:
        if owner is not None:
            gone = archive.forget_owner(owner)
        elif before is not None:
            gone = archive.forget_before(before.replace(tzinfo=UTC))
        else:
            gone = archive.forget_threads(threads)
        return gone, archive.overwrite()
