"""Degradation: what a turn had to do without."""

from collections.abc import Sequence

from graph.turn import BackendCall


def degradation_of(calls: Sequence[BackendCall], reasons: Sequence[str] = ()) -> str | None:
    """What was missing and why, in short; None where nothing was.

    Args:
        calls: Requests to live backends; those that failed are named.
        reasons: What else went without, as `PART: why`.
    """
    failed = (f"{call.name}: {call.failure}" for call in calls if call.failure is not None)
    return "; ".join(dict.fromkeys((*reasons, *failed))) or None
