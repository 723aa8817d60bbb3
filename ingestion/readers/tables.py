"""Reading rows from JSON Lines, JSON, CSV and Parquet files under our names, before anything is checked."""

import ast
import io
import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from ingestion.limits import ReadingLimits
from ingestion.readers.confined import Confined
from ingestion.readers.notes import Notes
from ingestion.readers.opening import (
    MEBIBYTE,
    RefusedFileError,
    check_size,
    decode,
    encoding_of,
    long_line,
    mend_row,
    open_regular,
    read_bytes,
)
from ingestion.readers.text_rows import NumberedRow, Row, csv_rows, held_rows, json_lines, unique_names

_BATCH_ROWS = 1_000
_BATCH_CHARACTERS = 4 * MEBIBYTE
"""Rows that are handed over together."""
_SIZE = "table_mebibytes"
_FEWER_COLUMNS = "leave out those that nobody reads"


def read_rows(
    path: Path, columns: dict[str, str], expected: Collection[str], notes: Notes, reading: Confined
) -> Iterator[NumberedRow]:
    """Read a table's rows under our column names.

    Args:
        path: A `.jsonl`, `.json`, `.csv` or `.parquet` file.
        columns: Our column to the shop's column; both may be dotted.
        expected: Names of our columns.
        notes: Told what a shop should know of it.
        reading: The process for foreign formats, and the limits.

    Raises:
        OSError: The file is gone or may not be read.
        RefusedFileError: It is no regular file, or beyond a limit.
        BrokenOffError: Reading it took too much time or memory.
    """
    limits = reading.limits
    for number, (line, row) in enumerate(_raw_rows(path, {*expected, *columns.values()}, notes, reading)):
        if number >= limits.rows:
            yield line, f"{limits.beyond('rows', 'there are more rows')}; the rest is not read"
            return
        if isinstance(row, str):
            yield line, row
            continue
        if problem := _beyond(row, limits):
            yield line, problem
            continue
        try:
            whole = mend_row(nest(rename(row, columns)))
        except RecursionError:
            yield line, "nested too deeply"
            continue
        if whole:
            yield line, whole


def _beyond(row: Row, limits: ReadingLimits) -> str | None:
    """What of a row is beyond the limits."""
    if len(row) > limits.columns:
        return limits.beyond("columns", f"it has {len(row):,} columns", _FEWER_COLUMNS)
    together = 0
    for name, value in row.items():
        longest, characters = _lengths(value)
        together += characters
        if longest > limits.cell_characters:
            return limits.beyond("cell_characters", f"{name[:80]!r} has {longest:,} characters", "shorten it")
    return long_line(limits, "row") if together > limits.row_characters else None


def _lengths(value: Any) -> tuple[int, int]:  # noqa: ANN401 - any JSON value
    """The characters of the longest text in a value, and of all; anything else in it counts as one."""
    if isinstance(value, str):
        return len(value), len(value)
    longest = together = 0
    waiting = [value]
    while waiting:
        one = waiting.pop()
        length = len(one) if isinstance(one, str) else 1
        longest, together = max(longest, length), together + length
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return longest, together


def _raw_rows(path: Path, expected: Collection[str], notes: Notes, reading: Confined) -> Iterator[NumberedRow]:
    suffix = path.suffix.lower()
    limits = reading.limits
    if suffix == ".parquet":
        for batch in reading.items(notes, parquet_batches, path, limits):
            yield from batch
        return
    with _text_of(path, limits, notes, newline="" if suffix == ".csv" else "\n") as stream:
        if suffix == ".csv":
            yield from csv_rows(stream, expected, limits, notes)
            return
        rows = json_lines(stream, named=suffix == ".jsonl", limits=limits, notes=notes)
        if rows is not None:
            yield from rows
            return
    for batch in reading.items(notes, object_batches, path, limits):
        yield from batch


@contextmanager
def _text_of(path: Path, limits: ReadingLimits, notes: Notes, newline: str) -> Iterator[TextIO]:
    """The text of a file, decoded while it is read."""
    with open_regular(path) as file:
        check_size(file.seek(0, io.SEEK_END), limits, _SIZE)
        file.seek(0)
        encoding = encoding_of(file, notes)
        with io.TextIOWrapper(file, encoding, errors="replace", newline=newline) as stream:
            yield stream


def _check_columns(count: int, limits: ReadingLimits) -> None:
    if count > limits.columns:
        raise RefusedFileError(limits.beyond("columns", f"it has {count:,} columns", _FEWER_COLUMNS))


def object_batches(path: Path, limits: ReadingLimits, notes: Notes) -> Iterator[list[NumberedRow]]:
    """The rows of a file that is one JSON array or object, which is read as a whole; for `Confined.items`."""
    text = decode(read_bytes(path, limits, _SIZE), Notes(notes.file))
    yield from _batches(held_rows(text, path.stem.lower()), limits)


def parquet_batches(path: Path, limits: ReadingLimits, notes: Notes) -> Iterator[list[NumberedRow]]:
    """The rows of a Parquet file; for `Confined.items`."""
    import pyarrow as pa  # noqa: PLC0415 - heavy, needed for this format alone
    import pyarrow.parquet as pq  # noqa: PLC0415 - heavy, needed for this format alone

    number = 0
    try:
        with open_regular(path) as opened, pq.ParquetFile(opened) as file:
            names = file.schema_arrow.names
            unpacked = sum(file.metadata.row_group(group).total_byte_size for group in range(file.num_row_groups))
            check_size(unpacked, limits, _SIZE, "it unpacks to {:,.1f} MiB")
            _check_columns(len(names), limits)
            names = unique_names(names, notes)
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
                for rows in _batches(enumerate(_parquet_rows(batch, names), start=number + 1), limits):
                    yield rows
                    number += len(rows)
    except MemoryError:
        raise  # which Arrow has a class of its own for
    except (pa.ArrowException, ValueError, OverflowError) as error:
        yield [(number + 1 if number else None, f"not valid Parquet: {error}")]


def _parquet_rows(batch: Any, names: Sequence[str]) -> Iterator[Row]:  # noqa: ANN401 - Arrow's types are untyped
    """The rows of a batch, fewer at a time where they are long."""
    step = max(1, min(batch.num_rows, _BATCH_CHARACTERS * batch.num_rows // (batch.nbytes + 1)))
    for start in range(0, batch.num_rows, step):
        columns = [column.to_pylist(maps_as_pydicts="lossy") for column in batch.slice(start, step).columns]
        yield from (
            {name: _plain(value) for name, value in zip(names, row, strict=True)} for row in zip(*columns, strict=True)
        )


def _batches(rows: Iterable[NumberedRow], limits: ReadingLimits) -> Iterator[list[NumberedRow]]:
    """Rows some at a time; for one that is beyond the limits stands what is wrong with it."""
    batch: list[NumberedRow] = []
    together = 0
    for line, row in rows:
        problem = None if isinstance(row, str) else _beyond(row, limits)
        batch.append((line, problem or row))
        together += _lengths(batch[-1][1])[1]
        if len(batch) >= _BATCH_ROWS or together >= _BATCH_CHARACTERS:
            yield batch
            batch, together = [], 0
    if batch:
        yield batch


def _plain(value: Any) -> Any:  # noqa: ANN401 - any Arrow value
    """A value of Arrow as JSON would have it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return value


_STRUCTURED = frozenset({"category", "aliases", "price", "attributes", "features", "variants", "related", "keywords"})
"""Columns whose cells may hold JSON, and which may be spread over dotted columns."""
_TRUTHS = {"true": True, "false": False}


def rename(row: Row, columns: dict[str, str]) -> Row:
    """Give columns our names; a column that several of ours read is read by each of them."""
    taken = {theirs for theirs in columns.values() if theirs in row}
    renamed = {name: value for name, value in row.items() if name not in taken and name not in columns}
    for ours, theirs in columns.items():
        value = row[theirs] if theirs in row else _dig(row, theirs)
        if value is not None:
            renamed[ours] = value
        elif ours in row and ours not in taken:
            renamed[ours] = row[ours]
    return renamed


def _dig(row: Row, dotted: str) -> Any:  # noqa: ANN401 - any JSON value
    value: Any = row
    for part in dotted.split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdecimal() and int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def nest(row: Row) -> Row:
    """Fold dotted columns into objects, parse cells that hold JSON, and leave out what is empty."""
    nested: Row = {}
    for name, value in row.items():
        path = _path(name)
        parsed = _parse_cell(value) if path[0] in _STRUCTURED else value
        if path[0] in _STRUCTURED and isinstance(parsed, str) and "attributes" in path[:-1]:
            parsed = _TRUTHS.get(parsed.strip().lower(), parsed)
        kept = _without_empty(parsed)
        if kept is not None:
            _place(nested, path, kept)
    return nested


@lru_cache(maxsize=1024)
def _path(name: str) -> tuple[str, ...]:
    """The steps of a dotted column of ours; the name of an attribute may have dots itself."""
    steps = name.split(".")
    if steps[0] not in _STRUCTURED:
        return (name,)
    if "attributes" in steps[:-1]:
        end = steps.index("attributes") + 1
        return (*steps[:end], name.split("attributes.", 1)[1])
    return tuple(steps)


def _place(nested: Row, path: tuple[str, ...], value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Put a value at its place; what a dotted column says wins over the same in a cell."""
    *outer, last = path
    for step in outer:
        inner = nested.get(step)
        if not isinstance(inner, dict):
            inner = nested[step] = {}
        nested = inner
    existing = nested.get(last)
    nested[last] = {**value, **existing} if isinstance(value, dict) and isinstance(existing, dict) else value


def _without_empty(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A value without what is null, not a number or blank in it; None where nothing is left."""
    if isinstance(value, dict):
        inner = {name: _without_empty(held) for name, held in value.items()}
        return {name: held for name, held in inner.items() if held is not None} or None
    if isinstance(value, list):
        return [held for held in map(_without_empty, value) if held is not None] or None
    if isinstance(value, float) and math.isnan(value):
        return None
    return None if isinstance(value, str) and not value.strip() else value


def _parse_cell(cell: Any) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(cell, str) or not cell.lstrip().startswith(("[", "{")):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        # Exports of data frames write lists as Python does.
        parsed = ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    return list(parsed) if isinstance(parsed, (tuple, set)) else parsed
