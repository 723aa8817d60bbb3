"""The assistant of all visitors, which is opened once a process."""

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.assistant import Assistant

_opening = Lock()


def shared_assistant() -> "Assistant":
    """The assistant over the index that settings name; one that cannot be opened is tried again by whoever asks next.

    Raises:
        SettingsError: The settings cannot be used.
        KnowledgeError: The index is missing or damaged.
        UnwritableRecordsError: A database cannot be opened.
    """
    with _opening:
        return _opened()


def is_open() -> bool:
    """Whether nobody has to wait for it."""
    return bool(_opened.cache_info().currsize)


@cache
def _opened() -> "Assistant":
    from app.assistant import Assistant  # noqa: PLC0415 - heavy: the graph and its models

    return Assistant.open()
