"""Fixtures as tests, collected by a pytest of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIXTURES = {
    "failing": "name: some talk\nindex: missing\nturns: [{user: hi}]",
    "skipped": "index: $FOOTNOTE_NOWHERE_AT_ALL/shop\nturns: [{user: hi}]",
    "malformed": "turns: [{user: hi, expct: {}}]",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says of the fixtures."""
    folder = tmp_path_factory.mktemp("fixtures")
    for name, text in FIXTURES.items():
        (folder / f"{name}.conversation.yaml").write_text(text)
    options = ["-p", "evals.pytest_plugin", "-p", "no:cacheprovider", "-v", "-rs", "--continue-on-collection-errors"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout + done.stderr


def test_a_fixture_is_one_test_and_fails_with_turn_key_expected_and_got(said: str) -> None:
    assert "failing.conversation.yaml::some talk" in said
    assert "1 failed, 1 skipped, 1 error" in said
    for part in ("turn 0", "key:      index", "expected: missing", "got:      There is no index 'missing'"):
        assert part in said
    assert "Traceback" not in said


def test_a_fixture_that_needs_an_unset_variable_is_skipped_and_says_so(said: str) -> None:
    assert "FOOTNOTE_NOWHERE_AT_ALL is not set" in said


def test_a_malformed_fixture_is_an_error_of_collection(said: str) -> None:
    assert "turns[1].expct: there is no such key; did you mean expect?" in said
