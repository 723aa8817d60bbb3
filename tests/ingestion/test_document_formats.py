"""Formats of documents: a citation knows its place in each of them."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ingestion.evidence import Evidence
from ingestion.shop import Shop

WriteShop = Callable[[Mapping[str, object]], Path]
MakePdf = Callable[..., bytes]
ReadShop = Callable[[Path], Shop]


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
