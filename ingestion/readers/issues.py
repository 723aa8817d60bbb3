"""What is wrong with a row or a file of the shop."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowIssue:
    """A row, or a value of one, that is not used, and why.

    Attributes:
        file: The file, relative to the PATH it was found under.
        line: Line in the file, or number of the row where a format has no lines; None for the whole file.
        reason: What is wrong with it.
    """

    file: str
    line: int | None
    reason: str

    @property
    def place(self) -> str:
        """The file, and the line where there is one."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"
