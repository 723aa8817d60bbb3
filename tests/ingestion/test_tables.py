"""Tables: the same rows from every format, under our column names."""

import codecs
import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from ingestion.readers.repairs import Repairs

from ingestion.readers.confined import Confined
from ingestion.readers.rows import ProductRow
from ingestion.readers.tables import read_rows
from ingestion.readers.text_rows import NumberedRow

ROW = {"id": "p1", "name": "Heron", "price": {"amount": 189.0, "currency": "USD"}, "features": ["One door"]}


def rows(path: Path, columns: Mapping[str, str] | None = None) -> list[Any]:
    return [row for _, row in numbered(path, columns)]


def numbered(path: Path, columns: Mapping[str, str] | None = None) -> list[NumberedRow]:
    with Confined() as reading:
        return list(read_rows(path, dict(columns or {}), ProductRow.model_fields, Repairs(path.name), reading))


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
    read = numbered(path)
    assert read[:2] == [(2, {"id": "r1", "text": "two\nlines"}), (4, {"id": "r2", "text": "one"})]
    assert read[2] == (5, "3 cells in a table of 2 columns")


def test_a_csv_text_that_looks_like_json_stays_text(tmp_path: Path) -> None:
    assert rows(file(tmp_path, "reviews.csv", "id,text\nr1,[1]\n")) == [{"id": "r1", "text": "[1]"}]


def test_a_header_decides_on_the_delimiter_by_the_columns_it_gives(tmp_path: Path) -> None:
    path = file(tmp_path, "products.csv", 'id;"name, long; and ""so on""";price.amount\np1;Heron;1,5\n')
    assert rows(path, {"name": 'name, long; and "so on"'}) == [
        {"id": "p1", "name": "Heron", "price": {"amount": "1,5"}}
    ]


def test_a_line_that_names_the_delimiter_and_blank_lines_stand_before_a_header(tmp_path: Path) -> None:
    path = file(tmp_path, "products.csv", "\nsep=|\nid|name\np1|Heron, green\n")
    assert numbered(path) == [(4, {"id": "p1", "name": "Heron, green"})]


def test_a_quote_that_is_not_closed_spoils_one_line(tmp_path: Path) -> None:
    path = file(tmp_path, "reviews.csv", 'id,text\nr1,"open\nr2,"two\nlines"\nr3,5" wide\nr4,"a"b\n')
    assert numbered(path) == [
        (2, "a quote that opens on this line is not closed"),
        (3, {"id": "r2", "text": "two\nlines"}),
        (5, {"id": "r3", "text": '5" wide'}),
        (6, {"id": "r4", "text": "ab"}),
    ]


def test_columns_of_one_name_are_both_kept_and_told(tmp_path: Path) -> None:
    repairs = Repairs("products.csv")
    path = file(tmp_path, "products.csv", "id,name,name,\np1,Heron,Reiher,x\n")
    ((_, row),) = read_rows(path, {}, ProductRow.model_fields, repairs, Confined())
    assert row == {"id": "p1", "name": "Heron", "name (2)": "Reiher", "column 4": "x"}
    assert [(repair.kind, repair.detail) for repair in repairs] == [
        ("header", "column 'name' stands twice; the first is read")
    ]


def test_a_csv_file_of_rows_with_blank_cells_at_their_ends_is_read(tmp_path: Path) -> None:
    assert rows(file(tmp_path, "products.csv", "id,name\np1,Heron,,\n,,\n")) == [{"id": "p1", "name": "Heron"}]


def test_objects_may_be_spread_over_dotted_columns(tmp_path: Path) -> None:
    header = "id,price.amount,attributes.Screen (in.),attributes.Foldable"
    path = file(tmp_path, "products.csv", f"{header}\np1,189,6.1,TRUE\n")
    assert rows(path) == [
        {"id": "p1", "price": {"amount": "189"}, "attributes": {"Screen (in.)": "6.1", "Foldable": True}}
    ]


def test_lists_as_python_writes_them_are_read_and_told(tmp_path: Path) -> None:
    repairs = Repairs("products.csv")
    path = file(tmp_path, "products.csv", "id,features\np1,\"['One', 'it\"\"s']\"\np2,[sic]\n")
    read = [row for _, row in read_rows(path, {}, ProductRow.model_fields, repairs, Confined())]
    assert read == [{"id": "p1", "features": ["One", 'it"s']}, {"id": "p2", "features": "[sic]"}]
    assert [(repair.kind, repair.lines) for repair in repairs] == [("structure", (2,))]


@pytest.mark.parametrize(
    "text",
    [
        '{"products": [{"id": 1}, {"id": 2}], "brands": [{"id": 9}]}',
        '{"count": 2, "results": [{"id": 1}, {"id": 2}], "tags": ["a"]}',
        '{"id": [1, 2], "name": [null, null]}',
        '{"id": 1}\n{"id": 2}\n',
        '\ufeff [{"id": 1},\n{"id": 2}]\n',
    ],
)
def test_a_json_file_may_hold_its_rows_in_other_ways(tmp_path: Path, text: str) -> None:
    assert rows(file(tmp_path, "products.json", text)) == [{"id": 1}, {"id": 2}]


def test_an_array_in_a_json_lines_file_is_read(tmp_path: Path) -> None:
    assert rows(file(tmp_path, "products.jsonl", '[{"id": 1}, {"id": 2}]')) == [{"id": 1}, {"id": 2}]


def test_an_array_with_a_mistake_is_one_problem_that_tells_its_line(tmp_path: Path) -> None:
    (problem,) = rows(file(tmp_path, "products.json", '[\n{"id": 1},\n{"id" 2},\n{"id": 3}]'))
    assert problem.startswith("not valid JSON")
    assert problem.endswith("(line 3, column 7); the file is not read")


def test_what_is_no_number_is_absent(tmp_path: Path) -> None:
    row = '{"id": 1, "rating": NaN, "price": {"amount": NaN, "currency": null}, "features": [null, "One"]}'
    assert rows(file(tmp_path, "products.jsonl", row)) == [{"id": 1, "features": ["One"]}]


def test_a_row_that_is_nested_too_deeply_is_one_problem(tmp_path: Path) -> None:
    deep = '{"id": 1, "x": ' + "[" * 100_000 + "]" * 100_000 + '}\n{"id": 2}\n'
    assert rows(file(tmp_path, "products.jsonl", deep)) == ["not valid JSON: nested too deeply", {"id": 2}]


def test_parquet_values_are_those_that_json_would_have(tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": pa.array(["p1", None]).dictionary_encode(),
            "rating": [4.0, float("nan")],
            "price": [{"amount": Decimal("2.50"), "currency": None}, {"amount": None, "currency": None}],
            "attributes": pa.array([[("Doors", "2")], None], pa.map_(pa.string(), pa.string())),
            "features": pa.array([["One", None], None], pa.large_list(pa.string())),
            "brand": pa.array([b"Fellmark", None]),
        }
    )
    pq.write_table(table, tmp_path / "products.parquet")
    assert rows(tmp_path / "products.parquet") == [
        {
            "id": "p1",
            "rating": 4.0,
            "price": {"amount": 2.5},
            "attributes": {"Doors": "2"},
            "features": ["One"],
            "brand": "Fellmark",
        }
    ]


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
    read = numbered(file(tmp_path, "products.jsonl", '\n{"id": 1}\n\n{"id": \n[1]\n'))
    assert read[0] == (2, {"id": 1})
    assert read[1][0] == 4
    assert str(read[1][1]).startswith("not valid JSON")
    assert read[2] == (5, "not a JSON object")


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
