"""What is wrong with a row or a file of the shop."""

from dataclasses import dataclass

from ingestion.readers.cleaning import clean

_LONGEST = 500


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

    def __post_init__(self) -> None:
        """Keep what a file says of itself to one line that every terminal can show."""
        object.__setattr__(self, "reason", one_line(self.reason))

    @property
    def place(self) -> str:
        """The file, and the line where there is one."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def one_line(text: str, longest: int = _LONGEST) -> str:
    """A text from a file as a report shows it: one line, nothing in it that steers a terminal, not too long."""
    line = " ".join(clean(text[: 2 * longest].encode("utf-8", "backslashreplace").decode("utf-8")).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
