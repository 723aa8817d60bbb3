"""What can go wrong in an evaluation, in words for people."""

from collections.abc import Sequence
from pathlib import Path

from app.errors import InputError


class MalformedFixtureError(InputError):
    """A conversation fixture that cannot be understood.

    Attributes:
        file: The fixture.
        line: Where in it, from 1; None when it is about the whole file.
        key: Path of the key, such as `turns[1].expect.outcome`; empty for the whole file.
        reason: What is wrong and what is allowed.
    """

    def __init__(self, file: Path, line: int | None, key: str, reason: str) -> None:
        self.file, self.line, self.key, self.reason = file, line, key, reason
        place = f"{file}:{line}" if line else str(file)
        super().__init__(f"{place}: {key}: {reason}" if key else f"{place}: {reason}")


class MalformedFixturesError(InputError):
    """Several fixtures that cannot be understood."""

    def __init__(self, errors: Sequence[MalformedFixtureError]) -> None:
        self.errors = list(errors)
        super().__init__("\n".join(map(str, errors)))


class NoFixtureError(InputError):
    """Nothing to replay lies where it was looked for."""

    def __init__(self, path: Path) -> None:
        what = "holds no *.conversation.yaml" if path.exists() else "does not exist"
        super().__init__(f"{path} {what}. Name a fixture, or a folder that holds some.")


class UnknownIndexError(InputError):
    """The index that a fixture asks for cannot be found or made."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(
            f"There is no index {name!r}, and no folder shop/ beside the fixture in {folder} to make it from. "
            "Name a built index, a shop's folder or `demo`, or give --index."
        )


class UnsetVariableError(InputError):
    """A fixture names an environment variable that is not set; its conversation is skipped."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"{variable} is not set")


class BusyFolderError(InputError):
    """Another benchmark is at work in the folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"Another benchmark is at work in {folder}. Wait until it has finished, or name another --folder."
        )
