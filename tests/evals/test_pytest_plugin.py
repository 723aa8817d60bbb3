"""Fixtures as tests, collected by a pytest of their own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_pytest(folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-p", "evals.pytest_plugin", "-p", "no:cacheprovider", "-v", "-rs"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout + done.stderr


def test_a_fixture_is_one_test_and_fails_with_turn_key_expected_and_got(tmp_path: Path) -> None:
    (tmp_path / "a.conversation.yaml").write_text("name: some talk\nindex: missing\nturns: [{user: hi}]")
    said = run_pytest(tmp_path)
    assert "a.conversation.yaml::some talk" in said
    assert "1 failed" in said
    for part in ("turn 0", "key:      index", "expected: missing", "got:      There is no index 'missing'"):
        assert part in said
    assert "Traceback" not in said


def test_a_fixture_that_needs_an_unset_variable_is_skipped_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.conversation.yaml").write_text("index: $FOOTNOTE_NOWHERE_AT_ALL/shop\nturns: [{user: hi}]")
    said = run_pytest(tmp_path)
    assert "1 skipped" in said
    assert "FOOTNOTE_NOWHERE_AT_ALL is not set" in said


def test_a_malformed_fixture_is_an_error_of_collection(tmp_path: Path) -> None:
    (tmp_path / "a.conversation.yaml").write_text("turns: [{user: hi, expct: {}}]")
    said = run_pytest(tmp_path)
    assert "1 error" in said
    assert "turns[1].expct: there is no such key; did you mean expect?" in said
