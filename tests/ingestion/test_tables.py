"""Tables: the same rows from every format, under our column names."""

import codecs
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingestion.readers.tables import read_rows

ROW = {"id": "p1", "name": "Heron", "price": {"amount": 189.0, "currency": "USD"}, "features": ["One door"]}


def rows(path: Path, columns: Mapping[str, str] | None = None) -> list[Any]:
    return [row for _, row in read_rows(path, dict(columns or {}))]


def file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_json_lines_json_csv_and_parquet_hold_the_same_row(tmp_path: Path) -> None:
    parquet = tmp_path / "products.parquet"
    pq.write_table(pa.Table.from_pylist([ROW]), parquet)
    csv = 'id,name,price.amount,price.currency,features\np1,Heron,189.0,USD,"[""One door""]"\n'
    assert rows(file(tmp_path, "products.jsonl", json.dumps(ROW))) == [ROW]
    assert rows(file(tmp_path, "products.json", json.dumps([ROW]))) == [ROW]
    assert rows(parquet) == [ROW]
    from_csv = rows(file(tmp_path, "products.csv", csv))
    assert from_csv == [{**ROW, "price": {"amount": "189.0", "currency": "USD"}}]


def test_parquet_dates_are_dates(tmp_path: Path) -> None:
    path = tmp_path / "reviews.parquet"
    day = date(2026, 5, 1)
    pq.write_table(pa.Table.from_pylist([{"date": day}]), path)
    assert rows(path) == [{"date": day}]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_delimiters_are_recognised(tmp_path: Path, delimiter: str) -> None:
    path = file(tmp_path, "products.csv", f"id{delimiter}name\np1{delimiter}Heron\n")
    assert rows(path) == [{"id": "p1", "name": "Heron"}]


def test_csv_cells_may_span_lines_and_lines_are_still_counted(tmp_path: Path) -> None:
    path = file(tmp_path, "reviews.csv", 'id,text\nr1,"two\nlines"\nr2,one\nr3,too,many\n')
    numbered = list(read_rows(path, {}))
    assert numbered[:2] == [(2, {"id": "r1", "text": "two\nlines"}), (4, {"id": "r2", "text": "one"})]
    assert numbered[2] == (5, "3 cells in a table of 2 columns")


def test_a_csv_text_that_looks_like_json_stays_text(tmp_path: Path) -> None:
    assert rows(file(tmp_path, "reviews.csv", "id,text\nr1,[1]\n")) == [{"id": "r1", "text": "[1]"}]


def test_empty_cells_are_absent_columns(tmp_path: Path) -> None:
    assert rows(file(tmp_path, "products.csv", "id,name,brand\np1,Heron, \n")) == [{"id": "p1", "name": "Heron"}]


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + '{"name": "Café"}'.encode(),
        '{"name": "Café"}'.encode("utf-16"),
        '{"name": "Café"}'.encode("cp1252"),
    ],
)
def test_byte_order_marks_and_other_encodings_are_understood(tmp_path: Path, data: bytes) -> None:
    assert rows(file(tmp_path, "products.jsonl", data)) == [{"name": "Café"}]


def test_one_broken_byte_does_not_spoil_the_other_letters(tmp_path: Path) -> None:
    data = '{"name": "Café Müller"}\n'.encode() + b'{"name": "\xff"}\n'
    assert rows(file(tmp_path, "products.jsonl", data))[0] == {"name": "Café Müller"}


def test_blank_lines_are_passed_over_and_broken_ones_reported_by_line(tmp_path: Path) -> None:
    numbered = list(read_rows(file(tmp_path, "products.jsonl", '\n{"id": 1}\n\n{"id": \n[1]\n'), {}))
    assert numbered[0] == (2, {"id": 1})
    assert numbered[1][0] == 4
    assert str(numbered[1][1]).startswith("not valid JSON")
    assert numbered[2] == (5, "not a JSON object")


def test_a_broken_json_or_parquet_file_is_one_problem(tmp_path: Path) -> None:
    assert "not valid JSON" in rows(file(tmp_path, "products.json", "[{"))[0]
    assert "not valid Parquet" in rows(file(tmp_path, "products.parquet", b"PAR1"))[0]


def test_columns_are_renamed_also_from_and_to_nested_ones(tmp_path: Path) -> None:
    row = {"uniq_id": 7, "title": "Heron", "pricing": {"now": 189}, "extra": 1}
    columns = {"id": "uniq_id", "name": "title", "price.amount": "pricing.now"}
    (renamed,) = rows(file(tmp_path, "products.jsonl", json.dumps(row)), columns)
    assert renamed["id"] == 7
    assert renamed["name"] == "Heron"
    assert renamed["price"] == {"amount": 189}
    assert renamed["extra"] == 1


def test_a_renamed_column_wins_over_one_that_bears_our_name(tmp_path: Path) -> None:
    row = {"id": "internal", "sku": "A1"}
    assert rows(file(tmp_path, "products.jsonl", json.dumps(row)), {"id": "sku"}) == [{"id": "A1"}]
