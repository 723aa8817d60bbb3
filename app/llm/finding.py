"""What a check of a server found."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["passed", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        name: Of the check.
        status: `unknown` where the endpoint does not tell.
        seen: What came back, in a sentence without its full stop.
        remedy: What to do; empty where nothing is to be done.
    """

    name: str
    status: Status
    seen: str
    remedy: str = ""
