"""A turn that nobody waits for any more ends at the next place where it asks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TurnAbandonedError(Exception):
    """Nobody waits for this turn any more: its time is over, or whoever asked has left."""


_is_abandoned: ContextVar[Callable[[], bool] | None] = ContextVar("is_abandoned", default=None)


@contextmanager
def abandoned_when(is_abandoned: Callable[[], bool]) -> Iterator[None]:
    """Say how a turn that runs here knows; threads that langgraph starts for it know it, too."""
    token = _is_abandoned.set(is_abandoned)
    try:
        yield
    finally:
        _is_abandoned.reset(token)


def check_budget() -> None:
    """Go on; asked before each node, each embedding and in each long loop.

    Raises:
        TurnAbandonedError: Nobody waits any more.
    """
    is_abandoned = _is_abandoned.get()
    if is_abandoned is not None and is_abandoned():
        raise TurnAbandonedError
