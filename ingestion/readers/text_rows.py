"""Reading the records of CSV and JSON files as shops export them, without holding more than a row."""

import csv
import json
import re
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TextIO

from ingestion.limits import ReadingLimits
from ingestion.readers.opening import long_line, text_lines
from ingestion.readers.repairs import Repairs

Row = dict[str, Any]
NumberedRow = tuple[int | None, Row | str]
"""A row's line (or number) and the row, or what is wrong with it."""

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


_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s,]*")
_BLOCK = 2**20
_DEEP = "not valid JSON: nested too deeply"
_NO_OBJECT = "not a JSON object"


def json_rows(stream: TextIO, *, lines: bool, limits: ReadingLimits, repairs: Repairs) -> Iterator[NumberedRow] | None:
    """Read rows one by one.

    Args:
        stream: The file, which can be read again from its beginning.
        lines: Whether the file should have an object a line, rather than an array.
        limits: How long a row may be.
        repairs: Told where it has the other.

    Returns:
        The rows; None where the file is one object, which `held_rows` reads.
    """
    begin = _begin(stream)
    if begin == "[" or (begin != "{" and not lines):
        if lines:
            repairs.note("structure", detail="an array in a .jsonl file")
        return _ArrayRows(stream, limits).read()
    if not lines and not _is_several_objects(stream, limits):
        return None
    if not lines:
        repairs.note("structure", detail="JSON Lines in a .json file")
    return _line_rows(stream, limits)


def _begin(stream: TextIO) -> str:
    """The first character that says something; the stream is left before it."""
    first = ""
    position = stream.tell()
    while not first:
        block = stream.read(_BLOCK)
        first = block.lstrip("\ufeff \t\r\n\f\v")[:1]
        if not block:
            break
    stream.seek(position)
    return first


def _is_several_objects(stream: TextIO, limits: ReadingLimits) -> bool:
    """Whether the first line is an object and something follows it."""
    position = stream.tell()
    filled = (line for line in text_lines(stream, limits) if line is None or line.strip("\ufeff \t\r\n"))
    first = next(filled, None)
    several = first is not None and _is_object(first.lstrip("\ufeff")) and next(filled, "") != ""
    stream.seek(position)
    return several


def _reason(error: ValueError | RecursionError, column: int = 0) -> str:
    if isinstance(error, RecursionError):
        return _DEEP
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} (column {error.colno + (column if error.lineno == 1 else 0)})"
    return f"not valid JSON: {error}"


def _line_rows(stream: TextIO, limits: ReadingLimits) -> Iterator[NumberedRow]:
    for number, line in enumerate(text_lines(stream, limits), start=1):
        if line is None:
            yield number, long_line(limits)
        elif line.strip("\ufeff \t\r\n\f\v"):
            try:
                row = json.loads(line.lstrip("\ufeff") if number == 1 else line)
            except (ValueError, RecursionError) as error:
                yield number, _reason(error)
            else:
                yield number, row if isinstance(row, dict) else _NO_OBJECT


@dataclass(slots=True)
class _ArrayRows:
    """Reads the rows of an array through a window that moves over it.

    Attributes:
        window: The part of the file that is at hand.
        position: Where in it the reading is.
        line: The line of that place.
        column: Characters of the window's first line that were left behind.
    """

    stream: TextIO
    limits: ReadingLimits
    window: str = ""
    position: int = 0
    line: int = 1
    column: int = 0

    def read(self) -> Iterator[NumberedRow]:
        """The rows; what stands before a mistake is read."""
        self._grow()
        self.window = self.window.lstrip("\ufeff")
        self._skip()
        if self.window[self.position : self.position + 1] != "[":
            yield None, "not a JSON array of rows"
            return
        self._move(self.position + 1)
        while True:
            self._skip()
            line = self.line
            if self.window[self.position : self.position + 1] == "]":
                self._move(self.position + 1)
                self._skip()
                if self.position < len(self.window):
                    yield line, "not valid JSON: the array ends here and more follows; the rest is not read"
                return
            row = self._row()
            yield line, row
            if isinstance(row, str) and row != _NO_OBJECT:
                return

    def _row(self) -> dict[str, Any] | str:
        while True:
            try:
                row, end = _DECODER.raw_decode(self.window, self.position)
            except RecursionError:
                return f"{_DEEP}; the rest of the file is not read"
            except ValueError as error:
                if len(self.window) - self.position > self.limits.row_characters:
                    return f"{long_line(self.limits, 'row')}; the rest of the file is not read"
                if not self._grow():
                    return f"{_reason(error, self.column)}; the rest of the file is not read"
                continue
            # A number that ends with the window may go on behind it.
            if end == len(self.window) and self._grow():
                continue
            self._move(end)
            return row if isinstance(row, dict) else _NO_OBJECT

    def _skip(self) -> None:
        """Go on to what is neither space nor comma."""
        while True:
            space = _SPACE.match(self.window, self.position)
            self._move(space.end() if space else self.position)
            if self.position < len(self.window) or not self._grow():
                return

    def _move(self, position: int) -> None:
        self.line += self.window.count("\n", self.position, position)
        self.position = position

    def _grow(self) -> bool:
        """Leave behind what was read, and read as much again as is at hand."""
        left, self.window = self.window[: self.position], self.window[self.position :]
        newline = left.rfind("\n")
        self.column = len(left) - newline - 1 if newline >= 0 else self.column + len(left)
        more = self.stream.read(max(_BLOCK, len(self.window)))
        self.window, self.position = self.window + more, 0
        return bool(more)


def held_rows(text: str, table: str) -> list[NumberedRow]:
    """The rows that an object holds under the table's name or its only list, or as columns."""
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        return [(None, _reason(error))]
    rows = _held_rows(data, table)
    if rows is None:
        return [(None, "not a JSON array of rows")]
    return [(number, row if isinstance(row, dict) else _NO_OBJECT) for number, row in enumerate(rows, start=1)]


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _held_rows(data: dict[str, Any], table: str) -> list[Any] | None:
    for name, value in data.items():
        if name.lower() == table and isinstance(value, list):
            return value
    lists = [value for value in data.values() if isinstance(value, list)]
    if len(lists) == len(data) > 1 and len({len(column) for column in lists}) == 1:
        return [dict(zip(data, row, strict=True)) for row in zip(*lists, strict=True)]
    of_rows = [value for value in lists if value and all(isinstance(row, dict) for row in value)]
    return of_rows[0] if len(of_rows) == 1 else None
