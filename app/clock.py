"""The clock on the wall."""

from datetime import UTC, datetime


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)
