"""Reading rows from JSON Lines, JSON, CSV and Parquet files, before anything is checked."""

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from ingestion.limits import ReadingLimits
from ingestion.readers.confined import Confined
from ingestion.readers.csv_rows import csv_rows, unique_names
from ingestion.readers.encoding import decode, encoding_of
from ingestion.readers.json_rows import held_rows, json_rows
from ingestion.readers.lines import long_line
from ingestion.readers.mending import mend_row
from ingestion.readers.nesting import nest, rename
from ingestion.readers.opening import MEBIBYTE, RefusedFileError, check_size, open_regular, read_bytes
from ingestion.readers.repairs import Repairs

Row = dict[str, Any]
NumberedRow = tuple[int | None, Row | str]
"""A row's line (or number) and the row, or what is wrong with it."""

_BATCH_ROWS = 1_000
_BATCH_CHARACTERS = 4 * MEBIBYTE
"""Rows that are handed over together."""
_SIZE = "table_mebibytes"
_FEWER_COLUMNS = "leave out those that nobody reads"


def read_rows(
    path: Path, columns: dict[str, str], expected: Collection[str], repairs: Repairs, reading: Confined
) -> Iterator[NumberedRow]:
    """Read a table's rows under our column names.

    Args:
        path: A `.jsonl`, `.json`, `.csv` or `.parquet` file.
        columns: Our column to the shop's column; both may be dotted.
        expected: Names of our columns.
        repairs: Told what was put right.
        reading: The process for foreign formats, and the limits.

    Raises:
        OSError: The file is gone or may not be read.
        RefusedFileError: It is no regular file, or beyond a limit.
        BrokenOffError: Reading it took too much time or memory.
    """
    limits = reading.limits
    for number, (line, row) in enumerate(_raw_rows(path, {*expected, *columns.values()}, repairs, reading)):
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
            whole = mend_row(nest(rename(row, columns), repairs, line), repairs, line)
        except RecursionError:
            yield line, "nested too deeply"
            continue
        if whole:
            yield line, whole
        else:
            repairs.note("blank_rows", line)


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


def _raw_rows(path: Path, expected: Collection[str], repairs: Repairs, reading: Confined) -> Iterator[NumberedRow]:
    suffix = path.suffix.lower()
    limits = reading.limits
    if suffix == ".parquet":
        for batch in reading.items(repairs, parquet_batches, path, limits):
            yield from batch
        return
    with _text_of(path, limits, repairs, newline="" if suffix == ".csv" else "\n") as stream:
        if suffix == ".csv":
            yield from csv_rows(stream, expected, limits, repairs)
            return
        rows = json_rows(stream, lines=suffix == ".jsonl", limits=limits, repairs=repairs)
        if rows is not None:
            yield from rows
            return
    for batch in reading.items(repairs, object_batches, path, limits):
        yield from batch


@contextmanager
def _text_of(path: Path, limits: ReadingLimits, repairs: Repairs, newline: str) -> Iterator[TextIO]:
    """The text of a file, decoded while it is read."""
    with open_regular(path) as file:
        check_size(file.seek(0, io.SEEK_END), limits, _SIZE)
        file.seek(0)
        encoding = encoding_of(file, repairs)
        with io.TextIOWrapper(file, encoding, errors="replace", newline=newline) as stream:
            yield stream


def _check_columns(count: int, limits: ReadingLimits) -> None:
    if count > limits.columns:
        raise RefusedFileError(limits.beyond("columns", f"it has {count:,} columns", _FEWER_COLUMNS))


def object_batches(path: Path, limits: ReadingLimits, repairs: Repairs) -> Iterator[list[NumberedRow]]:
    """The rows that a file holds as one JSON object, which is read as a whole; for `Confined.items`."""
    text = decode(read_bytes(path, limits, _SIZE), Repairs(repairs.file))
    yield from _batches(held_rows(text, path.stem.lower()), limits)


def parquet_batches(path: Path, limits: ReadingLimits, repairs: Repairs) -> Iterator[list[NumberedRow]]:
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
            names = unique_names(names, repairs)
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
