"""Reading rows from JSON Lines, JSON, CSV and Parquet files, before anything is checked."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingestion.readers.encoding import decode

Row = dict[str, Any]
NumberedRow = tuple[int | None, Row | str]
"""A row's line (or number) and the row, or what is wrong with it."""

_STRUCTURED = frozenset({"category", "aliases", "price", "attributes", "features", "variants", "related", "keywords"})
"""Columns whose CSV cells may hold JSON."""
_NESTED = frozenset({"price", "attributes"})
"""Columns that CSV may spread over dotted ones."""
_MAX_CELL = 10_000_000


def read_rows(path: Path, columns: dict[str, str]) -> Iterator[NumberedRow]:
    """Read a table's rows under our column names.

    Args:
        path: A `.jsonl`, `.json`, `.csv` or `.parquet` file.
        columns: Our column to the shop's column; both may be dotted.
    """
    reader = {".jsonl": _read_jsonl, ".json": _read_json, ".csv": _read_csv, ".parquet": _read_parquet}
    structured = path.suffix.lower() == ".csv"
    for line, row in reader[path.suffix.lower()](path):
        if isinstance(row, str):
            yield line, row
        else:
            yield line, _nest(_rename(row, columns), parse_json=structured)


def _read_jsonl(path: Path) -> Iterator[NumberedRow]:
    for number, line in enumerate(decode(path.read_bytes()).split("\n"), start=1):
        if line.strip():
            yield number, _parse_object(line)


def _parse_object(line: str) -> Row | str:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"not valid JSON: {error}"
    return row if isinstance(row, dict) else "not a JSON object"


def _read_json(path: Path) -> Iterator[NumberedRow]:
    try:
        data = json.loads(decode(path.read_bytes()))
    except (ValueError, RecursionError) as error:
        yield None, f"not valid JSON: {error}"
        return
    if isinstance(data, dict) and isinstance(data.get(path.stem), list):
        data = data[path.stem]
    if not isinstance(data, list):
        yield None, "not a JSON array of rows"
        return
    for number, row in enumerate(data, start=1):
        yield number, row if isinstance(row, dict) else "not a JSON object"


def _read_csv(path: Path) -> Iterator[NumberedRow]:
    csv.field_size_limit(_MAX_CELL)
    text = decode(path.read_bytes())
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text.replace("\x00", ""), newline=""), delimiter=delimiter)
    names = [name.strip() for name in next(reader, [])]
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield line, f"not valid CSV: {error}"
            continue
        if cells is None:
            return
        if len(cells) > len(names):
            yield line, f"{len(cells)} cells in a table of {len(names)} columns"
        elif any(cell.strip() for cell in cells):
            yield line, dict(zip(names, cells, strict=False))


def _read_parquet(path: Path) -> Iterator[NumberedRow]:
    import pyarrow as pa  # noqa: PLC0415 - heavy, needed for this format alone
    import pyarrow.parquet as pq  # noqa: PLC0415 - heavy, needed for this format alone

    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches():
                for row in batch.to_pylist(maps_as_pydicts="lossy"):
                    number += 1
                    yield number, row
    except pa.ArrowException as error:
        yield None, f"not valid Parquet: {error}"


def _rename(row: Row, columns: dict[str, str]) -> Row:
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
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _nest(row: Row, *, parse_json: bool) -> Row:
    """Fold dotted columns into objects, leave out empty cells and parse the JSON cells of a CSV file."""
    nested: Row = {}
    for name, value in row.items():
        if value is None or (isinstance(value, str) and not value.strip()):
            continue
        parsed = _parse_cell(value) if parse_json and name in _STRUCTURED else value
        outer, dot, inner = name.partition(".")
        if dot and outer in _NESTED:
            existing = nested.get(outer)
            nested[outer] = {**(existing if isinstance(existing, dict) else {}), inner: parsed}
        elif name in _NESTED and isinstance(parsed, dict) and isinstance(nested.get(name), dict):
            nested[name] = {**parsed, **nested[name]}
        else:
            nested[name] = parsed
    return nested


def _parse_cell(cell: Any) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(cell, str) or not cell.lstrip().startswith(("[", "{")):
        return cell
    try:
        return json.loads(cell)
    except ValueError:
        return cell
