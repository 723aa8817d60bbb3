"""What can go wrong in the application, in words for people."""

from pathlib import Path


class AppError(Exception):
    """Something a person can put right; its message says how."""


class InputError(AppError):
    """What was given cannot be used."""


class SettingsError(InputError):
    """A setting that does not exist or has a wrong value."""


class InvalidUserError(InputError):
    """A description of the user that is not one."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The user cannot be read: {reason}. "
            'Give JSON such as {"role": "buyer", "region": "US", "page": {"product_id": "..."}}.'
        )


class UnknownSourceError(InputError):
    """A source that neither the index nor the records know."""

    def __init__(self, evidence_id: str, generation: str | None) -> None:
        where = f"generation {generation}" if generation else "the index"
        super().__init__(
            f"No evidence {evidence_id!r} in {where}, and no recorded answer cites it. "
            "Evidence ids stand in the citations of a turn, such as spec:aurora-x2."
        )


class UnwritableFileError(InputError):
    """A file that was asked for cannot be written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be written: {reason}. Name a file in a folder that exists and is yours.")


class UnknownThreadError(InputError):
    """A conversation that does not exist, or is somebody else's: nobody learns which."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"There is no conversation {thread_id} of yours. Start a new one, under another name.")


class BusyThreadError(AppError):
    """The previous question of the same conversation is still being answered."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(f"Conversation {thread_id} is still answering its last question. Ask again in a moment.")


class UnwritableRecordsError(AppError):
    """The records database cannot be opened."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The database {path} cannot be used: {reason}. "
            "Choose other files with FOOTNOTE_RECORDS and FOOTNOTE_THREADS, or make the folder writable."
        )
