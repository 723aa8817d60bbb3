"""Processes that are killed in the middle of a turn, each at a point of its own: `killed_turns.py FOLDER`."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import app.storage.records
from app.turns import HeldCheckpoints, HeldRecord, TurnRun
from tests.app.fake_parts import ASKED, scripted
from tests.graph.fakes import FixedIntents, NamedInQuery, RefusingVerifier, ScriptedRewriter

THREAD = "t"
TURNS_BEFORE = (0, 2)
BEFORE: dict[str, tuple[Any, str]] = {
    "begun": (TurnRun, "__init__"),
    "rewrite": (ScriptedRewriter, "rewrite"),
    "catalog": (NamedInQuery, "find"),
    "intents": (FixedIntents, "distributions"),
    "verifier": (RefusingVerifier, "verify_all"),
    "checkpoint": (HeldCheckpoints, "write"),
    "record": (HeldRecord, "write"),
    "commit": (app.storage.records, "_gaps"),
}
AFTER: dict[str, tuple[Any, str]] = {
    "verified": (RefusingVerifier, "verify_all"),
    "recorded": (HeldRecord, "write"),
}
POINTS = [(point, turns) for point in (*BEFORE, *AFTER) for turns in TURNS_BEFORE]


def main(folder: Path) -> None:
    """Fork a process for each point, which loads nothing anew, and see it killed."""
    for point, turns in POINTS:
        child = os.fork()
        if child == 0:
            _talk(folder / f"{point}-{turns}", point, turns)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), f"{point} was not reached"
        assert os.WTERMSIG(status) == signal.SIGKILL


def _talk(folder: Path, point: str, turns: int) -> None:
    with scripted(folder) as (assistant, _):
        for _ in range(turns):
            assistant.ask(ASKED, THREAD)
        owner, name = BEFORE.get(point) or AFTER[point]
        setattr(owner, name, _killing(getattr(owner, name), after=point in AFTER))
        assistant.ask(f"{ASKED} And why?", THREAD)


def _killing(step: Callable[..., Any], *, after: bool) -> Callable[..., Any]:
    def killed(*given: Any, **named: Any) -> None:  # noqa: ANN401 - whatever the step takes
        if after:
            step(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    return killed


if __name__ == "__main__":
    main(Path(sys.argv[1]))
