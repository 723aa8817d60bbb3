"""Degradation: what a turn had to do without."""

from collections.abc import Sequence

from graph.turn import BackendCall


def degradation_of(calls: Sequence[BackendCall]) -> str | None:
    """The backends that failed and why, in short; None when all answered."""
    failed = dict.fromkeys(f"{call.name}: {call.failure}" for call in calls if call.failure is not None)
    return "; ".join(failed) or None
