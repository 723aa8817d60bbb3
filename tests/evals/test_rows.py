"""Reading the rows a component is scored on."""

from pathlib import Path

import pytest

from app.errors import InputError
from evals.rows import Row, read_rows


class Named(Row):
    id: str
    gold: list[str]
    note: str | None = None


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def test_rows_come_in_the_files_order_with_the_columns_asked_for(file: Path) -> None:
    file.write_text('{"id": "b", "gold": ["x"], "more": 1}\n\n{"id": "a", "gold": []}\n')
    assert read_rows(file, Named) == [Named(id="b", gold=["x"]), Named(id="a", gold=[])]


def test_a_byte_order_mark_windows_line_ends_and_unicode_line_separators_do_no_harm(file: Path) -> None:
    file.write_bytes('\ufeff{"id": "größer\u2028x", "gold": []}\r\n{"id": "b", "gold": []}\r\n'.encode())
    assert [row.id for row in read_rows(file, Named)] == ["größer\u2028x", "b"]


def test_ids_may_be_numbers(file: Path) -> None:
    file.write_text('{"id": 7, "gold": [8]}')
    assert read_rows(file, Named) == [Named(id="7", gold=["8"])]


def test_a_split_chooses_its_rows(file: Path) -> None:
    file.write_text('{"id": "a", "gold": [], "split": "train"}\n{"id": "b", "gold": [], "split": "test"}')
    assert [row.id for row in read_rows(file, Named, "test")] == ["b"]
    assert [row.id for row in read_rows(file, Named)] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b'{"id": "a", "gold": []}\n{"id": ', ["rows.jsonl:2: Invalid JSON", "at column"]),
        (b'{"id": "a", "gold": []}\n\n{"id": "b"}', ["rows.jsonl:3: gold: Field required", "A row has id, gold, and"]),
        (b'{"id": "a", "gold": "x"}', ["rows.jsonl:1: gold: Input should be a valid array"]),
        (b'{"id": "a", "gold": ["x", []]}', ["rows.jsonl:1: gold.1: "]),
        (b'["a"]', ["rows.jsonl:1: Input should be an object"]),
        (b'{"id": "\xff", "gold": []}', ["rows.jsonl:1: Invalid JSON"]),
        (b"\n", ["rows.jsonl has no rows"]),
    ],
)
def test_a_row_that_cannot_be_understood_is_named_with_file_and_line(
    file: Path, content: bytes, parts: list[str]
) -> None:
    file.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_rows(file, Named)
    assert all(part in str(error.value) for part in parts)


def test_rows_of_other_splits_are_checked_as_well(file: Path) -> None:
    file.write_text('{"id": "a", "gold": [], "split": "test"}\n{"split": "train"}')
    with pytest.raises(InputError, match=r"rows\.jsonl:2: id"):
        read_rows(file, Named, "test")


def test_an_unknown_split_is_answered_with_those_there_are(file: Path) -> None:
    file.write_text('{"id": "a", "gold": [], "split": "train"}\n{"id": "b", "gold": [], "split": "test"}')
    with pytest.raises(InputError, match=r"'dev'\. Its splits are: test, train"):
        read_rows(file, Named, "dev")


def test_data_without_splits_says_so(file: Path) -> None:
    file.write_text('{"id": "a", "gold": []}')
    with pytest.raises(InputError, match="no splits; leave --split out"):
        read_rows(file, Named, "test")


def test_a_missing_file_and_a_folder_are_told_apart(file: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_rows(file, Named)
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        read_rows(file.parent, Named)
