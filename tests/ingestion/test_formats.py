"""Formats: the same rows give the same evidence from all four, and every citation knows where it stands."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.chunking.cutter import Cutter
from ingestion.chunking.options import ChunkOptions
from ingestion.embedding_cache import TextEncoder
from ingestion.evidence import Evidence
from ingestion.readers.discovery import discover
from ingestion.shop import Shop, read_shop

WriteShop = Callable[[Mapping[str, object]], Path]
MakePdf = Callable[..., bytes]
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


@pytest.fixture
def read(encoder: TextEncoder) -> ReadShop:
    def read_folder(folder: Path) -> Shop:
        return read_shop(discover([folder]), Cutter.of(ChunkOptions(), encoder), lambda _done, _total: None)

    return read_folder


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
    assert (shop.skipped, shop.repaired) == ([], [])
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


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def word_file(*paragraphs: tuple[str, str]) -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>')
    return file.getvalue()


@pytest.fixture
def documents(make_pdf: MakePdf) -> dict[str, str | bytes]:
    """One article in every format; below a heading, on page 2 where there are pages."""
    page = [(72, 60, 20, "Care of lamps"), (72, 200, 16, "Cleaning"), (72, 300, 10, "Never use soap on it at all.")]
    return {
        "md": "# Care of lamps\n\n## Cleaning\n\nNever use soap on it at all.",
        "html": "<h1>Care of lamps</h1><h2>Cleaning</h2><p>Never use soap on it at all.",
        "htm": "<title>Care of lamps | Shop</title><main><h2>Cleaning</h2><p>Never use soap on it at all.</main>",
        "docx": word_file(
            ("Heading1", "Care of lamps"), ("Heading2", "Cleaning"), ("", "Never use soap on it at all.")
        ),
        "pdf": make_pdf([], page),
    }


@pytest.mark.parametrize("suffix", ["md", "html", "htm", "docx", "pdf"])
def test_a_citation_of_any_document_knows_its_place(
    write_shop: WriteShop, read: ReadShop, documents: Mapping[str, str | bytes], suffix: str
) -> None:
    sidecar = {
        "kind": "datasheet",
        "description": "Washing",
        "keywords": ["soap", "water"],
        "audience": "seller",
        "product_id": "p1",
        "url": "https://shop.example/care",
        "updated_at": "2026-02-03T23:30:00-05:00",
    }
    files = {f"help/care.{suffix}": documents[suffix], f"help/care.{suffix}.meta.json": json.dumps(sidecar)}
    shop = read(write_shop(files))
    assert list(shop.evidence.values()) == [
        Evidence(
            evidence_id="datasheet:help/care",
            source_type="datasheet",
            text="Never use soap on it at all.",
            title="Care of lamps",
            row_id="help/care",
            product_id="p1",
            section="Cleaning",
            page=2 if suffix == "pdf" else None,
            url="https://shop.example/care",
            updated_at="2026-02-04",
            audience="seller",
            keywords=("soap", "water", "Washing"),
        )
    ]


def test_plain_text_takes_all_of_its_place_from_its_sidecar(write_shop: WriteShop, read: ReadShop) -> None:
    sidecar = '{"id": "care", "title": "Care", "audience": "buyer", "url": "https://shop.example/care"}'
    shop = read(write_shop({"a/b.txt": "Never use soap.", "a/b.meta.json": sidecar}))
    (evidence,) = shop.evidence.values()
    assert (evidence.evidence_id, evidence.title, evidence.text) == ("help_article:care", "Care", "Never use soap.")
    assert (evidence.audience, evidence.url) == ("buyer", "https://shop.example/care")


def test_two_documents_of_one_id_are_a_conflict_and_none_is_mixed_up(write_shop: WriteShop, read: ReadShop) -> None:
    shop = read(write_shop({"a.html": "<p>From the web.", "a.md": "# One\n\nFrom a file.\n\n# Two\n\nMore."}))
    assert [one.text for one in shop.evidence.values()] == ["From the web."]
    assert [str(issue) for issue in shop.skipped] == [
        "a.md: the id 'a' was read before, with other content (a.html), which is kept"
    ]


def test_what_a_page_says_of_itself_fills_what_its_sidecar_leaves_open(write_shop: WriteShop, read: ReadShop) -> None:
    html = """<html lang=en><head><link rel=canonical href="https://shop.example/care">
    <meta property="article:modified_time" content="2026-03-04"></head><p>Never use soap."""
    shop = read(write_shop({"a.html": html, "a.html.meta.json": '{"updated_at": "2026-04-05"}'}))
    (evidence,) = shop.evidence.values()
    assert (evidence.url, evidence.updated_at) == ("https://shop.example/care", "2026-04-05")
    assert shop.extras == {"help_article:a": {"lang": "en"}}
    assert not shop.unknown_columns["documents"]


def test_a_file_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    write_shop: WriteShop, read: ReadShop, make_pdf: MakePdf
) -> None:
    secret = "00" * 32
    encrypt = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{secret}> /U <{secret}> /P -4 >> /ID [<00> <00>]"
    shop = read(
        write_shop(
            {
                "good.md": "Text.",
                "secret.pdf": make_pdf([], trailer=encrypt),
                "scan.pdf": make_pdf([], []),
                "half.pdf": make_pdf([(72, 100, 10, "Text")])[:300],
                "old.docx": b"\xd0\xcf\x11\xe0",
            }
        )
    )
    assert list(shop.evidence) == ["help_article:good"]
    assert [str(issue) for issue in shop.skipped] == [
        "half.pdf: cannot be read: it is damaged or no PDF",
        "old.docx: cannot be read: it is no .docx file, or encrypted; save it as .docx without a password",
        "scan.pdf: has no text (a scan?)",
        "secret.pdf: cannot be read: it is encrypted; save a copy without a password",
    ]


def test_repairs_are_told_by_kind_and_file(write_shop: WriteShop, read: ReadShop) -> None:
    shop = read(
        write_shop(
            {
                "products.csv": "id,name\np1,AT&amp;T caf\xe9\n,\np1,AT&amp;T caf\xe9\n".encode("cp1252"),
                "help/a.txt": "CafÃ© is open.",
            }
        )
    )
    assert [(one.kind, one.file, one.count, one.lines, one.detail) for one in shop.repaired] == [
        ("encoding", "products.csv", 1, (), "cp1252"),
        ("entities", "products.csv", 2, (2, 4), None),
        ("blank_rows", "products.csv", 1, (3,), None),
        ("duplicate_rows", "products.csv", 1, (4,), None),
        ("mojibake", "help/a.txt", 1, (), None),
    ]
    assert shop.skipped == []
    assert shop.products["p1"].name == "AT&T café"


def test_words_of_the_shop_that_share_an_id_are_told(write_shop: WriteShop, read: ReadShop) -> None:
    shop = read(
        write_shop({"a.md": "Text.", "shop.toml": '[glossary]\n"C" = "A grade."\n"C++" = "Better."\n"☂" = "Wet."'})
    )
    assert list(shop.evidence) == ["help_article:a", "help_article:glossary/c", "help_article:glossary/☂"]
    assert [str(issue) for issue in shop.skipped] == [
        "shop.toml: the word 'C++' has the id 'help_article:glossary/c', which was read before and is kept"
    ]


def test_a_row_that_cannot_be_understood_is_a_problem_and_the_others_are_read(
    write_shop: WriteShop, read: ReadShop
) -> None:
    odd = {"id": "p1", "name": "Heron", "attributes": [{"name": ["a"], "value": 1}]}
    shop = read(write_shop({"products.jsonl": [odd, {"id": "p2", "name": "Wren"}]}))
    assert list(shop.products) == ["p2"]
    assert [str(issue) for issue in shop.skipped] == [
        "products.jsonl:1: attributes must be an object of names and values"
    ]


def test_a_value_that_cannot_be_read_is_told_and_its_row_is_kept(write_shop: WriteShop, read: ReadShop) -> None:
    row = {"id": "p1", "name": "Heron", "price": "from 5 EUR", "description": "Light."}
    shop = read(write_shop({"products.jsonl": [row]}))
    assert (shop.products["p1"].price, shop.evidence["description:p1"].text) == (None, "Light.")
    assert [str(issue) for issue in shop.skipped] == [
        "products.jsonl:1: price is left out: 'from 5 EUR' is not one amount; the rest of the row is kept"
    ]


def test_what_is_about_a_product_that_is_not_listed_is_kept_and_told(write_shop: WriteShop, read: ReadShop) -> None:
    facts = [{"id": one, "source_type": "offer", "text": "T", "product_id": one} for one in ("p1", "p2", "p3")]
    shop = read(
        write_shop(
            {
                "facts.jsonl": [*facts, {"id": "all", "source_type": "offer", "text": "T"}],
                "products.jsonl": [{"id": "p2", "name": "Wren"}],
                "a.md": "---\nproduct_id: p9\n---\nText.",
            }
        )
    )
    assert {"offer:p1", "offer:p2", "offer:p3", "offer:all", "manual:a"} <= set(shop.evidence)
    told = [(one.kind, one.file, one.count, one.lines) for one in shop.repaired]
    assert told == [("unknown_products", "facts.jsonl", 2, (1, 3)), ("unknown_products", "a.md", 1, ())]
    assert "'p1'" in (shop.repaired[0].detail or "")
