"""How long work tells how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with what is done and what there is in all."""


def silent(_done: int, _total: int) -> None:
    """Tell nobody."""
