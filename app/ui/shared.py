"""The assistant of all visitors, which is opened once a process."""

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.assistant import Assistant


class SharedAssistant:
    """The assistant over the index that settings name, for threads that wait for whichever comes first to open it."""

    def __init__(self) -> None:
        self._opening = Lock()
        self._assistant: Assistant | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody has to wait for it."""
        return self._assistant is not None

    def get(self) -> "Assistant":
        """The assistant; one that cannot be opened is tried again by whoever asks next.

        Raises:
            SettingsError: The settings cannot be used.
            KnowledgeError: The index is missing or damaged.
            UnwritableRecordsError: A database cannot be opened.
        """
        with self._opening:
            if self._assistant is None:
                from app.assistant import Assistant  # noqa: PLC0415 - heavy: the graph and its models

                self._assistant = Assistant.open()
            return self._assistant


shared_assistant = SharedAssistant()
"""That of this process."""
