"""Reading the records of a CSV file as shops export them."""

import csv
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TextIO

from ingestion.limits import ReadingLimits
from ingestion.readers.lines import long_line, text_lines
from ingestion.readers.repairs import Repairs

_DELIMITERS = ",;\t|"
_HEADER_LINES = 100
"""Lines within which a header must end, for its delimiter to be told."""
_READ_AGAIN_CHARACTERS = 20_000_000
"""Most that is read again after quotes that are not closed; each could have the rest of the file behind it."""
_SEPARATOR_LINE = "sep="


def csv_rows(
    stream: TextIO, expected: Collection[str], limits: ReadingLimits, repairs: Repairs
) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Read records by their header.

    Args:
        stream: The file, with its line ends as they are.
        expected: Names of columns that the header may have, by which its delimiter is told.
        limits: How long a row may be.
        repairs: Told of blank rows and of odd headers.

    Yields:
        The line a record begins on, and its cells by column, or what is wrong with it.
    """
    # A longer cell is told with its column where the limit of cells is held; here it only must end.
    csv.field_size_limit(limits.row_characters)
    lines = _Lines(text_lines(stream, limits), limits)
    delimiter = None
    first = lines.first()
    if first.lower().startswith(_SEPARATOR_LINE):
        delimiter = first.strip()[len(_SEPARATOR_LINE) :] or None
        lines.drop()
    records = _records(lines, delimiter or _delimiter(lines.ahead(), expected))
    begun, header = next(records, (1, []))
    if isinstance(header, str):
        yield begun, header
        return
    names = unique_names(header, repairs)
    for line, cells in records:
        if isinstance(cells, str):
            yield line, cells
        elif not any(cell.strip() for cell in cells):
            repairs.note("blank_rows", line)
        elif any(cell.strip() for cell in cells[len(names) :]):
            yield line, f"{len(cells)} cells in a table of {len(names)} columns"
        else:
            yield line, dict(zip(names, cells, strict=False))


class _LongLineError(csv.Error):
    """A line that is too long, alone or together with those before it."""


@dataclass(slots=True)
class _Lines:
    """The lines of a file, of which those of the record that is being read are kept, so that it can be read anew.

    Attributes:
        number: Lines before the record.
    """

    source: Iterator[str | None]
    limits: ReadingLimits
    number: int = 0
    _coming: deque[str | None] = field(default_factory=deque)
    _taken: list[str | None] = field(default_factory=list)
    _length: int = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._coming.popleft() if self._coming else next(self.source)
        self._taken.append(line)
        self._length += len(line or "")
        if line is None or self._length > self.limits.row_characters:
            raise _LongLineError(long_line(self.limits))
        return line.replace("\x00", "")

    def first(self) -> str:
        """The first line that is not blank; those before it are left behind."""
        while (ahead := self.ahead(1)) and not ahead[0].strip():
            self.drop()
        return ahead[0] if ahead else ""

    def ahead(self, most: int = _HEADER_LINES) -> list[str]:
        """Lines that come, as many as a record may have characters."""
        while len(self._coming) < most and sum(len(line or "") for line in self._coming) < self.limits.row_characters:
            if (line := next(self.source, "")) == "":
                break
            self._coming.append(line)
        return [line or "" for line in islice(self._coming, most)]

    def drop(self) -> None:
        """Leave the next line behind."""
        self._coming.popleft()
        self.number += 1

    def done(self) -> None:
        """Leave the lines of a record behind."""
        self.number += len(self._taken)
        self._taken, self._length = [], 0

    def again(self) -> tuple[str, int]:
        """Leave the first line of a record behind, whose others come again.

        Returns:
            That line, and the characters of those that come again.
        """
        line, length = self._taken[0] or "", self._length
        self._coming.extendleft(reversed(self._taken[1:]))
        self._taken, self._length = [], 0
        self.number += 1
        return line, length - len(line)


def unique_names(header: Sequence[str], repairs: Repairs) -> list[str]:
    """Names of columns; one that is empty or stands twice gets a name of its own."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for number, column in enumerate(header, start=1):
        name = column.strip() or f"column {number}"
        seen[name] += 1
        if seen[name] > 1:
            repairs.note("header", 1, f"column {name!r} stands twice; the first is read")
            name = f"{name} ({seen[name]})"
        names.append(name)
    return names


def _delimiter(lines: Sequence[str], expected: Collection[str]) -> str:
    """The delimiter that parts the header into most of the expected columns, and else into most columns."""

    def parted(delimiter: str) -> tuple[int, int]:
        header = next(csv.reader(iter(lines), delimiter=delimiter), [])
        names = {name.strip() for name in header}
        return len(names & set(expected)), len(header)

    return max(_DELIMITERS, key=parted)


def _records(lines: _Lines, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """The records; where a quote is not closed, its line is one problem and the next line begins anew."""
    read_again = 0
    while read_again <= _READ_AGAIN_CHARACTERS:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                yield lines.number + 1, cells
                lines.done()
        except csv.Error as error:
            line, coming = lines.again()
            read_again += coming
            if isinstance(error, _LongLineError) and not coming:
                yield lines.number, str(error)
            else:
                yield lines.number, _record_alone(line, delimiter, error, several=coming > 0)
        else:
            return
    yield lines.number + 1, "too many quotes are not closed; correct them, the rest of the file is not read"


def _record_alone(line: str, delimiter: str, error: csv.Error, *, several: bool) -> list[str] | str:
    """A line whose quotes are not those of CSV, read as leniently as may be."""
    if several:
        return "a quote that opens on this line is not closed"
    try:
        return next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return f"not valid CSV: {error}"
