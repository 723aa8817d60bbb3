"""What was mended in a file, and what could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ingestion.readers.cleaning import clean

RepairKind = Literal[
    "encoding",
    "broken_bytes",
    "mojibake",
    "entities",
    "invisible_characters",
    "blank_rows",
    "duplicate_rows",
    "header",
    "structure",
    "metadata",
    "pages_without_text",
    "unknown_products",
]
"""What was put right:

* `encoding`: the file was not UTF-8, or had a byte order mark; the detail names what it was read as.
* `broken_bytes`: bytes that are no text in the file's encoding became U+FFFD.
* `mojibake`: text that had been decoded wrongly before (`CafÃ©`) was decoded rightly.
* `entities`: HTML entities (`&amp;`) stood in a plain cell.
* `invisible_characters`: control, zero-width or direction characters were removed.
* `blank_rows`: rows without a value.
* `duplicate_rows`: rows that repeat an earlier one in every column.
* `header`: column names that are empty or stand twice.
* `structure`: a file or cell in another notation than its name or column says.
* `metadata`: values of a document's metadata that are not usable and were left out.
* `pages_without_text`: pages of a PDF that have pictures alone.
* `unknown_products`: rows and documents about a product that the shop does not list; kept, but not found by its name.
"""
_SHOWN_LINES = 10


@dataclass(frozen=True, slots=True)
class Repair:
    """One kind of repair in one file.

    Attributes:
        kind: What was put right.
        file: The file, relative to the PATH it was found under.
        count: How often.
        lines: Up to ten of the lines, rows or pages it happened in.
        detail: What it was, in words.
    """

    kind: RepairKind
    file: str
    count: int
    lines: tuple[int, ...] = ()
    detail: str | None = None


@dataclass(slots=True)
class Repairs:
    """Collects the repairs of one file."""

    file: str
    _found: dict[RepairKind, Repair] = field(default_factory=dict)

    def note(self, kind: RepairKind, line: int | None = None, detail: str | None = None) -> None:
        """Note one repair; of several details the first is kept."""
        known = self._found.get(kind, Repair(kind, self.file, 0))
        lines = known.lines
        if line is not None and len(lines) < _SHOWN_LINES and line not in lines:
            lines = (*lines, line)
        self._found[kind] = Repair(kind, self.file, known.count + 1, lines, known.detail or detail)

    def take_over(self, others: "Repairs") -> None:
        """Know what others know that began as these."""
        self._found = others._found  # noqa: SLF001 - of the same class

    def __iter__(self) -> Iterator[Repair]:
        return iter(self._found.values())


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
