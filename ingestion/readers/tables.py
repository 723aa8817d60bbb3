"""Reading rows from JSON Lines, JSON, CSV and Parquet files, before anything is checked."""

from collections.abc import Collection, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from ingestion.readers.csv_rows import csv_rows, unique_names
from ingestion.readers.encoding import decode
from ingestion.readers.json_rows import json_rows
from ingestion.readers.mending import mend_row
from ingestion.readers.nesting import nest, rename
from ingestion.readers.repairs import Repairs

Row = dict[str, Any]
NumberedRow = tuple[int | None, Row | str]
"""A row's line (or number) and the row, or what is wrong with it."""


def read_rows(
    path: Path, columns: dict[str, str], expected: Collection[str], repairs: Repairs
) -> Iterator[NumberedRow]:
    """Read a table's rows under our column names.

    Args:
        path: A `.jsonl`, `.json`, `.csv` or `.parquet` file.
        columns: Our column to the shop's column; both may be dotted.
        expected: Names of our columns.
        repairs: Told what was put right.
    """
    for line, row in _raw_rows(path, {*expected, *columns.values()}, repairs):
        if isinstance(row, str):
            yield line, row
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


def _raw_rows(path: Path, expected: Collection[str], repairs: Repairs) -> Iterator[NumberedRow]:
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        yield from _parquet_rows(path, repairs)
        return
    text = decode(path.read_bytes(), repairs)
    if suffix == ".csv":
        yield from csv_rows(text, expected, repairs)
    else:
        yield from json_rows(text, path.stem.lower(), lines=suffix == ".jsonl", repairs=repairs)


def _parquet_rows(path: Path, repairs: Repairs) -> Iterator[NumberedRow]:
    import pyarrow as pa  # noqa: PLC0415 - heavy, needed for this format alone
    import pyarrow.parquet as pq  # noqa: PLC0415 - heavy, needed for this format alone

    number = 0
    try:
        with pq.ParquetFile(path) as file:
            names = unique_names(file.schema_arrow.names, repairs)
            for batch in file.iter_batches():
                for row in batch.rename_columns(names).to_pylist(maps_as_pydicts="lossy"):
                    number += 1
                    yield number, {name: _plain(value) for name, value in row.items()}
    except (pa.ArrowException, ValueError, OverflowError) as error:
        yield number + 1 if number else None, f"not valid Parquet: {error}"


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
