"""Reading the records of CSV and JSON files as shops export them, without holding more than a row."""

import csv
import json
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from ingestion.limits import ReadingLimits
from ingestion.readers.notes import Notes
from ingestion.readers.opening import long_line, text_lines

Row = dict[str, Any]
NumberedRow = tuple[int | None, Row | str]
"""A row's line (or number) and the row, or what is wrong with it."""

_DELIMITERS = ",;\t|"
_HEADER_LINES = 100
"""Lines within which a header must end, for its delimiter to be told."""
_SEPARATOR_LINE = "sep="


def csv_rows(
    stream: TextIO, expected: Collection[str], limits: ReadingLimits, notes: Notes
) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Read records by their header.

    Args:
        stream: The file, with its line ends as they are.
        expected: Names of columns that the header may have, by which its delimiter is told.
        limits: How long a row may be.
        notes: Told of odd headers.

    Yields:
        The line a record begins on, and its cells by column, or what is wrong with it.
    """
    # A longer cell is told with its column where the limit of cells is held; here it only must end.
    csv.field_size_limit(limits.row_characters)
    lines = _Lines(text_lines(stream, limits), limits)
    while (ahead := lines.ahead(1)) and not ahead[0].strip():
        next(lines)
    delimiter = None
    if ahead and ahead[0].lower().startswith(_SEPARATOR_LINE):
        delimiter = ahead[0].strip()[len(_SEPARATOR_LINE) :] or None
        next(lines)
    records = _records(lines, delimiter or _delimiter(lines.ahead(_HEADER_LINES), expected))
    begun, header = next(records, (1, []))
    if isinstance(header, str):
        yield begun, header
        return
    names = unique_names(header, notes)
    for line, cells in records:
        if isinstance(cells, str):
            yield line, cells
        elif any(cell.strip() for cell in cells[len(names) :]):
            yield line, f"{len(cells)} cells in a table of {len(names)} columns"
        elif any(cell.strip() for cell in cells):
            yield line, dict(zip(names, cells, strict=False))


@dataclass(slots=True)
class _Lines:
    """The lines of a file, None for one that is too long; those that were taken can come again.

    Attributes:
        number: Lines that were taken.
    """

    source: Iterator[str | None]
    limits: ReadingLimits
    number: int = 0
    _coming: deque[str | None] = field(default_factory=deque)

    def __iter__(self) -> Iterator[str | None]:
        return self

    def __next__(self) -> str | None:
        line = self._coming.popleft() if self._coming else next(self.source)
        self.number += 1
        return line and line.replace("\x00", "")

    def back(self, lines: Sequence[str | None]) -> None:
        """Let lines that were taken come again."""
        self._coming.extendleft(reversed(lines))
        self.number -= len(lines)

    def ahead(self, most: int) -> list[str]:
        """Lines that come, as many as a record may have characters."""
        taken: list[str | None] = []
        length = 0
        while len(taken) < most and length < self.limits.row_characters and (line := next(self, "")) != "":
            taken.append(line)
            length += len(line or "")
        self.back(taken)
        return [line or "" for line in taken]

    def quoted(self, line: str) -> list[str]:
        """The lines that come up to the one that closes the quote which a line opens, if there is one."""
        taken: list[str] = []
        quotes, length = line.count('"'), len(line)
        while not taken or quotes % 2:
            following = next(self, None)
            length += len(following or "")
            if following is None or length > self.limits.row_characters:
                break
            taken.append(following)
            quotes += following.count('"')
        return taken


def unique_names(header: Sequence[str], notes: Notes) -> list[str]:
    """Names of columns; one that is empty or stands twice gets a name of its own."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for number, column in enumerate(header, start=1):
        name = column.strip() or f"column {number}"
        seen[name] += 1
        if seen[name] > 1:
            notes.add(f"column {name!r} stands twice; the first is read", 1)
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
    for line in lines:
        yield lines.number, long_line(lines.limits) if line is None else _record(line, lines, delimiter)


def _record(line: str, lines: _Lines, delimiter: str) -> list[str] | str:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        several = str(error) == _OPEN
    more = lines.quoted(line) if several else []
    reader = csv.reader([line, *more], delimiter=delimiter, strict=several)
    try:
        cells = next(reader)
    except csv.Error as error:
        lines.back(more)
        return "a quote that opens on this line is not closed" if several else f"not valid CSV: {error}"
    lines.back(more[reader.line_num - 1 :])
    return cells


_OPEN = "unexpected end of data"
"""What the library says of a quote that is not closed."""
_DEEP = "not valid JSON: nested too deeply"
_NO_OBJECT = "not a JSON object"
_BLANK = "\ufeff \t\r\n\f\v"


def json_lines(stream: TextIO, *, named: bool, limits: ReadingLimits, notes: Notes) -> Iterator[NumberedRow] | None:
    """Read rows that have a line each, one by one.

    Args:
        stream: The file, which can be read again from its beginning.
        named: Whether its name says that it is of this kind.
        limits: How long a row may be.
        notes: Told where it is, or is not, against its name.

    Returns:
        The rows; None where the file is one array or object, which `held_rows` reads.
    """
    position = stream.tell()
    filled = (line for line in text_lines(stream, limits) if line is None or line.strip(_BLANK))
    first = (next(filled, None) or "").lstrip(_BLANK)
    # A line that is an object, with more behind it, is a row wherever it stands.
    lined = not first.startswith("[") if named else _is_object(first) and next(filled, "") != ""
    stream.seek(position)
    if lined != named:
        notes.add(f"is {'JSON Lines in a .json' if lined else 'an array in a .jsonl'} file")
    return _line_rows(stream, limits) if lined else None


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return _DEEP
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        return f"not valid JSON: {error.msg} ({line}column {error.colno})"
    return f"not valid JSON: {error}"


def _line_rows(stream: TextIO, limits: ReadingLimits) -> Iterator[NumberedRow]:
    for number, line in enumerate(text_lines(stream, limits), start=1):
        if line is None:
            yield number, long_line(limits)
        elif line.strip(_BLANK):
            try:
                row = json.loads(line.lstrip("\ufeff") if number == 1 else line)
            except (ValueError, RecursionError) as error:
                yield number, _reason(error)
            else:
                yield number, row if isinstance(row, dict) else _NO_OBJECT


def held_rows(text: str, table: str) -> list[NumberedRow]:
    """The rows of an array, or those that an object holds under the table's name or its only list, or as columns."""
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        return [(None, f"{_reason(error)}; the file is not read")]
    rows = _held_rows(data, table) if isinstance(data, dict) else data
    if not isinstance(rows, list):
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
