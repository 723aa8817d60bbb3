"""Reading rows from JSON arrays and JSON Lines, whichever a file really holds, without holding more than a row."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from ingestion.limits import ReadingLimits
from ingestion.readers.lines import long_line, text_lines
from ingestion.readers.repairs import Repairs

NumberedRow = tuple[int | None, dict[str, Any] | str]

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
