"""What is told of a file: what of it is not used, and what a shop should know of what is."""

from collections.abc import Iterator
from dataclasses import dataclass, field

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


_MOST_NOTES = 100


@dataclass(slots=True)
class Notes:
    """Collects what a shop should know of a file that is read all the same: each thing once, where it stood first.

    That is how a file was understood that says so nowhere, or says something else; what was left out of its metadata;
    pages without text; products that no table lists. What is mended without a doubt is not told.
    """

    file: str
    _found: dict[str, RowIssue] = field(default_factory=dict)

    def add(self, reason: str, line: int | None = None) -> None:
        """Note one thing."""
        if len(self._found) < _MOST_NOTES:
            self._found.setdefault(reason, RowIssue(self.file, line, reason))

    def take_over(self, others: "Notes") -> None:
        """Know what others know that began as these."""
        self._found = others._found  # noqa: SLF001 - of the same class

    def __iter__(self) -> Iterator[RowIssue]:
        return iter(self._found.values())


def one_line(text: str, longest: int = _LONGEST) -> str:
    """A text from a file as a report shows it: one line, nothing in it that steers a terminal, not too long."""
    line = " ".join(clean(text[: 2 * longest].encode("utf-8", "backslashreplace").decode("utf-8")).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
