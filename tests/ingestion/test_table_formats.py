"""Formats of tables: the same rows give the same shop, whatever the format."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.shop import Shop

ReadShop = Callable[[Path], Shop]
Row = dict[str, Any]

PRODUCTS: list[Row] = [
    {
        "id": "p:1#a%",
        "name": "Heron",
        "brand": "Fellmark",
        "category": ["Camping", "Tents"],
        "aliases": ["H1", "Reiher"],
        "url": "https://shop.example/p1?a=1&b=2",
        "price": {"amount": 189.5, "currency": "USD"},
        "attributes": {"Doors": 2, "Weight (min.)": "1.9 kg", "Freestanding": True, "Poles": ["A", "B"]},
        "features": ["One door", "Light; dry, strong"],
        "description": "<p>A tent &amp; more.</p><ul><li>Dry</li></ul>",
        "variants": [{"id": "v1", "attributes": {"Colour": "Moss"}, "price": {"amount": 199, "currency": "USD"}}],
        "related": ["p2"],
        "updated_at": "2026-05-01",
    },
    {"id": "p2", "name": "Wren"},
]


REVIEWS: list[Row] = [
    {
        "id": "r1",
        "product_id": "p2",
        "text": 'Dry,\nlight; "good"',
        "title": "Fine",
        "rating": 4.5,
        "date": "2026-03-01",
        "url": "https://shop.example/r1",
        "verified": True,
    }
]


QUESTIONS: list[Row] = [
    {
        "id": "q1",
        "product_id": "p2",
        "question": "Is it dry?",
        "answer": "Yes.",
        "date": "2026-03-02",
        "url": "https://shop.example/q1",
        "votes": 3,
    }
]


FACTS: list[Row] = [
    {
        "id": "f1",
        "source_type": "offer",
        "text": "10 % off tents.",
        "category": ["Camping", "Tents"],
        "brand": "Fellmark",
        "region": "US",
        "audience": "buyer",
        "membership": "gold",
        "attributes": {"Code": "T10", "Uses": 2},
        "valid_from": "2026-01-01",
        "valid_until": "2026-02-01",
        "url": "https://shop.example/f1",
        "updated_at": "2026-01-02",
        "title": "Tents",
    },
    {"id": "f2", "source_type": "stock", "text": "In stock.", "product_id": "p2"},
]


SHOP = {"products": PRODUCTS, "reviews": REVIEWS, "questions": QUESTIONS, "facts": FACTS}


def as_csv(rows: Sequence[Row], *, dotted: bool) -> str:
    """Rows as CSV: lists and objects as JSON cells, or objects over dotted columns."""
    flat: list[dict[str, str]] = []
    for row in rows:
        cells = dict(row)
        for name in ("price", "attributes") if dotted else ():
            cells |= {f"{name}.{inner}": value for inner, value in cells.pop(name, {}).items()}
        flat.append(
            {
                name: json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict, bool)) else str(value)
                for name, value in cells.items()
            }
        )
    file = io.StringIO()
    writer = csv.DictWriter(file, list(dict.fromkeys(name for row in flat for name in row)))
    writer.writeheader()
    writer.writerows(flat)
    return file.getvalue()


def write(folder: Path, table: str, rows: Sequence[Row], form: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if form == "parquet":
        # Attributes of several kinds stand in a column of JSON texts, as Parquet's columns have one type.
        plain = [{**row, "attributes": json.dumps(row["attributes"])} if "attributes" in row else row for row in rows]
        names = dict.fromkeys(name for row in plain for name in row)
        columns = {name: [row.get(name) for row in plain] for name in names}
        pq.write_table(pa.table(columns), folder / f"{table}.parquet")
        return
    suffix, text = {
        "jsonl": ("jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
        "json": ("json", json.dumps(list(rows), indent=2)),
        "csv": ("csv", as_csv(rows, dotted=False)),
        "dotted csv": ("csv", as_csv(rows, dotted=True)),
    }[form]
    (folder / f"{table}.{suffix}").write_text(text, encoding="utf-8")


def content(shop: Shop) -> tuple[object, ...]:
    kept = {identifier: json.dumps(columns, default=str).lower() for identifier, columns in shop.extras.items()}
    return shop.products, list(shop.evidence.values()), {name: text.replace('"', "") for name, text in kept.items()}


@pytest.mark.parametrize("form", ["json", "csv", "dotted csv", "parquet"])
def test_every_column_of_the_contract_gives_the_same_from_every_format(
    tmp_path: Path, read: ReadShop, form: str
) -> None:
    for table, rows in SHOP.items():
        write(tmp_path / "lines", table, rows, "jsonl")
        write(tmp_path / "other", table, rows, form)
    shop = read(tmp_path / "other")
    assert (shop.skipped, shop.notes) == ([], [])
    assert content(shop) == content(read(tmp_path / "lines"))


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)


TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


VALUES = st.one_of(TEXTS, st.integers(-(10**6), 10**6), st.booleans())


GENERATED = st.fixed_dictionaries(
    {"id": WORDS, "name": TEXTS},
    optional={
        "brand": TEXTS,
        "category": st.lists(TEXTS, min_size=1, max_size=3),
        "price": st.fixed_dictionaries({"amount": st.integers(0, 10**6), "currency": st.sampled_from(["USD", "EUR"])}),
        "attributes": st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4),
        "features": st.lists(TEXTS, min_size=1, max_size=4),
        "description": TEXTS,
    },
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(GENERATED, min_size=1, max_size=4, unique_by=lambda row: row["id"]))
def test_any_rows_give_the_same_evidence_from_every_format(
    tmp_path_factory: pytest.TempPathFactory, read: ReadShop, rows: list[Row]
) -> None:
    folder = tmp_path_factory.mktemp("shop")
    forms = ["jsonl", "json", "csv", "parquet"]
    for form in forms:
        write(folder / form, "products", rows, form)
    first, *others = [content(read(folder / form)) for form in forms]
    for other in others:
        assert other == first
