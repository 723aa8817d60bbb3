"""`bench concurrency`: everyone at once, and the slow one never in the times."""

import io
from pathlib import Path

from rich.console import Console

from evals.benches.concurrency import WAYS, measure, print_benchmark


def test_each_way_of_being_slow_is_timed_beside_equal_questions(index: Path) -> None:
    result = measure(str(index), users=2, rounds=1)
    assert set(result.slow) == set(WAYS)
    assert all(timing.p95 for timing in (result.equal, *result.slow.values()))
    shown = io.StringIO()
    print_benchmark(Console(file=shown, width=120), result)
    assert all(way in shown.getvalue() for way in WAYS)
