"""A clock that a fixture sets."""

from datetime import UTC, datetime


class SettableClock:
    """Shows the machine's time until it is set, and the set time from then on."""

    def __init__(self) -> None:
        self._moment: datetime | None = None

    def set(self, moment: datetime | None) -> None:
        """Stop at a moment; None lets it run again."""
        self._moment = moment

    def now(self) -> datetime:
        """The set moment, or the present one, in UTC."""
        return (self._moment or datetime.now(UTC)).astimezone(UTC)
