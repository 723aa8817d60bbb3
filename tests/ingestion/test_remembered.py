"""Rows that are read once."""

from collections.abc import Sequence

from ingestion.knowledge import Remembered

ROWS = {"a": 1, "b": 2, "c": 3}


class Table:
    """Reads rows, and knows which it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, keys: Sequence[str]) -> dict[str, int]:
        self.asked += keys
        return {key: ROWS[key] for key in keys if key in ROWS}


def test_a_row_is_read_once_and_each_key_asked_for_once() -> None:
    table = Table()
    rows = Remembered(table.read, 10)
    assert rows.of(["a", "b", "a"]) == {"a": 1, "b": 2}
    assert rows.of(["b", "c"]) == {"b": 2, "c": 3}
    assert table.asked == ["a", "b", "c"]


def test_what_does_not_exist_is_left_out() -> None:
    assert Remembered(Table().read, 10).of(["a", "z"]) == {"a": 1}


def test_more_rows_than_are_kept_are_found_all_the_same() -> None:
    table = Table()
    rows = Remembered(table.read, 1)
    assert rows.of(["a", "b", "c"]) == ROWS
    assert rows.of(["a"]) == {"a": 1}
    assert table.asked == ["a", "b", "c", "a"]
