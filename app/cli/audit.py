"""`footnote audit`: a recorded turn with all that stands behind it, and what the assistant would answer today."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.console import IndexOption, JsonOption, out, print_json
from app.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.settings import Settings
    from app.storage.records import AuditRow
    from graph.turn import Turn

COMPARED = ("standalone_query", "outcome", "answer", "generation", "config_hash", "prompt_hash")
"""Fields of a turn that are compared as they are."""


def audit(
    name: Annotated[str, typer.Argument(metavar="TURN", help="A turn's id, or a conversation's.", show_default=False)],
    *,
    index: IndexOption = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Hold the conversation again up to its last turn, and compare that.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded turn: decisions, sources in full, what was not shown and why. Exit status 1: it differs now."""
    from app.settings import Settings  # noqa: PLC0415 - heavy

    settings = Settings.load()
    rows = recorded(settings, name)
    if replay:
        changed = _replay(rows[-1], settings, index)
        _tell_changes(changed, as_json=as_json)
        raise typer.Exit(int("answer" in changed))
    if as_json:
        print_json({"turns": [_as_data(row) for row in rows]})
        return
    for row in rows:
        _print(row)


def recorded(settings: "Settings", name: str) -> "Sequence[AuditRow]":
    """The rows of a turn or a conversation.

    Raises:
        InputError: Nothing is recorded under this name.
    """
    from app.storage.records import Records, SystemClock  # noqa: PLC0415 - heavy

    if settings.records.exists():
        with closing(Records(settings.records, SystemClock(), settings.team, settings.turn_limit_s)) as records:
            if rows := records.audited(name):
                return rows
    msg = (
        f"Neither a turn nor a conversation {name} is recorded in {settings.records}. `footnote ask --json` prints the "
        "ids of both; a conversation's stands in its address on the page, too."
    )
    raise InputError(msg)


def _as_data(row: "AuditRow") -> dict[str, Any]:
    from dataclasses import asdict  # noqa: PLC0415

    return {
        "at": row.at.isoformat(),
        "turn": row.turn.model_dump(mode="json"),
        "sources": [asdict(source) for source in row.sources],
        "dropped": [one.model_dump(mode="json") for one in row.dropped],
        "feedback": asdict(row.feedback) if row.feedback else None,
    }


def _print(row: "AuditRow") -> None:
    from app.cli.turn_view import print_explanation, print_turn  # noqa: PLC0415 - heavy

    console = out()
    console.print(
        f"\n{row.at:%Y-%m-%d %H:%M:%S} UTC  turn {row.turn.turn_id}  thread {row.turn.thread_id}", style="bold"
    )
    print_turn(console, row.turn)
    print_explanation(console, row.turn)
    for one in row.dropped:
        instead = f"; shown instead: {one.instead}" if one.instead else ""
        console.print(f"Not shown ({', '.join(one.reasons)}): {one.text}{instead}", soft_wrap=True)
    for source in row.sources:
        console.print(f"\n{source.evidence_id}  {source.title}", style="bold", soft_wrap=True)
        console.print(source.text, soft_wrap=True)
    if row.feedback:
        told = filter(None, (f"thumbs {row.feedback.thumb}", row.feedback.reason, row.feedback.comment))
        console.print(f"Feedback: {', '.join(told)}", soft_wrap=True)


@dataclass(slots=True)
class _RecordedClock:
    """Shows when the turn that is held again was held."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


def _replay(last: "AuditRow", settings: "Settings", index: str | None) -> dict[str, tuple[Any, Any]]:
    """What is another in a turn that is answered today, by name: what was recorded, and what came."""
    from app.assistant import Assistant  # noqa: PLC0415 - heavy

    said = recorded(settings, last.turn.thread_id)
    until = [row.turn.turn_id for row in said].index(last.turn.turn_id)
    clock = _RecordedClock(last.at)
    with settings.under(last.turn.variant).scratch() as scratch, Assistant.open(index, scratch, clock) as assistant:
        for row in said[: until + 1]:
            clock.moment, old = row.at, row.turn
            turn = assistant.ask(old.query, "replay", old.style, old.user)
    return dict(_changes(last.turn, turn))


def _changes(old: "Turn", new: "Turn") -> "Iterator[tuple[str, tuple[Any, Any]]]":
    pairs = [(name, getattr(old, name), getattr(new, name)) for name in COMPARED]
    for name, read in (
        ("products", lambda turn: [one.id for one in turn.products]),
        ("citations", lambda turn: [f"{one.evidence_id}: {one.quote}" for one in turn.citations]),
        ("confidence", lambda turn: round(turn.confidence.score, 3)),
    ):
        pairs.append((name, read(old), read(new)))
    yield from ((name, (was, now)) for name, was, now in pairs if was != now)


def _tell_changes(changed: dict[str, tuple[Any, Any]], *, as_json: bool) -> None:
    if as_json:
        told = {name: {"recorded": was, "now": now} for name, (was, now) in changed.items()}
        print_json({"same_answer": "answer" not in changed, "changed": told})
        return
    console = out()
    console.print("The answer is another one now." if "answer" in changed else "The answer is the same now.")
    for name, (was, now) in changed.items():
        console.print(f"{name}\n  recorded: {was}\n  now:      {now}", soft_wrap=True)
