"""What stands around a turn: the time, the desk that takes over, the audit."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graph.parts.answering import Dropped
from graph.turn import Escalation, Turn
from ingestion.evidence import Evidence


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class Desk(Protocol):
    """Where a hand-over to a person goes."""

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        """Open a ticket for a team, that of the shop where none is named, and say where it went."""
        ...


class Recorder(Protocol):
    """Keeps the audit row of every turn, and the sources it cited."""

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Store a turn, the full text of what it cites, and the sentences the verifier dropped."""
        ...
