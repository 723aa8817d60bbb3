"""`footnote` as a process would run it: what a command left behind."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Result:
    """What a command left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Result]
