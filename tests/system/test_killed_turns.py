"""`kill -9` in the middle of a turn, twenty times: nothing is lost, and what was interrupted says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.fake_parts import ASKED, is_whole, scripted
from tests.graph.fakes import ScriptedRewriter
from tests.system.killed_turns import POINTS, THREAD

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
KILLED = f"{ASKED} And why?"


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The databases of processes that were killed, a folder for each."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "tests.system.killed_turns", str(folder)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=600)  # noqa: S603 - our own
    return folder


@pytest.mark.parametrize(("point", "turns"), POINTS)
def test_a_killed_turn_is_marked_and_its_conversation_goes_on(killed: Path, point: str, turns: int) -> None:
    folder = killed / f"{point}-{turns}"
    asked_before = [ASKED] * turns + ([KILLED] if point == "recorded" else [])
    rewriter = ScriptedRewriter()
    with scripted(folder, rewriter=rewriter) as (assistant, _):
        history = assistant.records.history(THREAD)
        assert [turn.query for turn in history] == asked_before
        interrupted = [] if point == "recorded" else [KILLED]
        assert [one.query for one in assistant.records.interrupted(THREAD)] == interrupted
        assert [one.after_turn for one in assistant.records.interrupted(THREAD)] == [
            history[-1].turn_id if history else None for _ in interrupted
        ]
        assert [thread.thread_id for thread in assistant.records.threads()] == [THREAD]
        assert assistant.ask(KILLED, THREAD).outcome == "clear"
        assert [turn.query for turn in rewriter.seen[-1].turns] == asked_before
        assert [turn.query for turn in assistant.records.history(THREAD)] == [*asked_before, KILLED]
    assert all(is_whole(folder / name) for name in ("records.sqlite", "threads.sqlite"))
