"""The application: settings, wiring, records, the command line and the chat page."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.assistant import Assistant

__all__ = ["Assistant"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attributes have any type
    """Load the assistant, and langgraph with it, on first use, so that commands which need neither start at once."""
    if name == "Assistant":
        from app.assistant import Assistant  # noqa: PLC0415 - the point of this function

        return Assistant
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
