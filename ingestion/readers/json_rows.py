"""Reading rows from JSON arrays and JSON Lines, whichever a file really holds."""

import json
import re
from collections.abc import Iterator
from typing import Any

from ingestion.readers.repairs import Repairs

NumberedRow = tuple[int | None, dict[str, Any] | str]

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s,]*")


def json_rows(text: str, table: str, *, lines: bool, repairs: Repairs) -> Iterator[NumberedRow]:
    """Read rows.

    Args:
        text: The whole file.
        table: The table's name, under which an object may hold its rows.
        lines: Whether the file should have an object a line, rather than an array.
        repairs: Told where it has the other.
    """
    text = text.lstrip("\ufeff")
    begin = text.lstrip()[:1]
    if lines and begin != "[":
        yield from _line_rows(text)
    elif begin == "{" and not lines:
        yield from _object_rows(text, table, repairs)
    else:
        if lines:
            repairs.note("structure", detail="an array in a .jsonl file")
        yield from _array_rows(text)


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "not valid JSON: nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} (column {error.colno})"
    return f"not valid JSON: {error}"


def _line_rows(text: str) -> Iterator[NumberedRow]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, _reason(error)
            else:
                yield number, row if isinstance(row, dict) else "not a JSON object"


def _array_rows(text: str) -> Iterator[NumberedRow]:
    """The rows of an array; what stands before a mistake in it is read."""
    position = len(text) - len(text.lstrip())
    if text[position : position + 1] != "[":
        yield None, "not a JSON array of rows"
        return
    position += 1
    line = 1 + text.count("\n", 0, position)
    while True:
        space = _SPACE.match(text, position)
        begin = space.end() if space else position
        line += text.count("\n", position, begin)
        if text[begin : begin + 1] == "]":
            if text[begin + 1 :].strip():
                yield line, "not valid JSON: the array ends here and more follows; the rest is not read"
            return
        try:
            row, position = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError) as error:
            yield line, f"{_reason(error)}; the rest of the file is not read"
            return
        yield line, row if isinstance(row, dict) else "not a JSON object"
        line += text.count("\n", begin, position)


def _object_rows(text: str, table: str, repairs: Repairs) -> Iterator[NumberedRow]:
    """The rows that an object holds under the table's name or its only list, as columns, or as JSON Lines."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        if _is_object(text.lstrip().split("\n", 1)[0]):
            repairs.note("structure", detail="JSON Lines in a .json file")
            yield from _line_rows(text)
        else:
            yield None, _reason(error)
        return
    rows = _held_rows(data, table)
    if rows is None:
        yield None, "not a JSON array of rows"
        return
    for number, row in enumerate(rows, start=1):
        yield number, row if isinstance(row, dict) else "not a JSON object"


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
