"""Composition: how a shop's rows read as citable text."""

from typing import Any

import pytest

from ingestion.compose import (
    document_evidence,
    fact_evidence,
    product_evidence,
    product_of,
    question_evidence,
    review_evidence,
)
from ingestion.evidence import Evidence
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document
from ingestion.readers.rows import DocumentMeta, FactRow, ProductRow, QuestionRow, ReviewRow

NAMES = {"p": "Kestrel 2"}


def about_product(**columns: Any) -> dict[str, Evidence]:  # noqa: ANN401 - any JSON value
    row = ProductRow.model_validate({"id": "p", "name": "Kestrel 2", **columns})
    return {one.source_type: one for one in product_evidence(row, product_of(row))}


def fact(**columns: Any) -> Evidence:  # noqa: ANN401 - any JSON value
    row = {"id": "f", "source_type": "return_policy", "text": "Tents can be returned.", **columns}
    return fact_evidence(FactRow.model_validate(row), NAMES)


def document(chunks: int, **meta: Any) -> list[Evidence]:  # noqa: ANN401 - any JSON value
    read = Document("help/returns", "Returns", DocumentMeta.model_validate(meta), [Block("paragraph", "Text.")])
    return list(document_evidence(read, [Block("paragraph", "Text.", ("A", "B"), 2)] * chunks))


def test_specifications_have_a_line_for_brand_category_price_and_each_attribute() -> None:
    spec = about_product(
        brand="Fellmark",
        category=["Camping", "Tents"],
        price={"amount": 249, "currency": "USD"},
        attributes={"Weight": "1.9 kg", "Doors": 2},
        url="https://shop.example/p",
        updated_at="2026-05-01",
    )["spec"]
    assert spec.text == "Brand: Fellmark\nCategory: Camping > Tents\nPrice: $249\nWeight: 1.9 kg\nDoors: 2"
    assert (spec.evidence_id, spec.title, spec.product_id) == ("spec:p", "Kestrel 2 specifications", "p")
    assert (spec.url, spec.updated_at) == ("https://shop.example/p", "2026-05-01")


def test_an_attribute_that_repeats_the_brand_is_said_once() -> None:
    assert about_product(brand="Fellmark", attributes={"brand": "Fellmark"})["spec"].text == "brand: Fellmark"


def test_variants_have_a_line_each_with_price_and_stock_where_known() -> None:
    variants = [
        {"id": "a", "attributes": {"Colour": "Slate", "Storage": "128 GB"}, "price": "$599", "in_stock": True},
        {"id": "b", "attributes": {"Colour": "Sand"}, "in_stock": False},
        {"id": "c", "attributes": {"Colour": "Moss"}},
    ]
    assert about_product(variants=variants)["variant"].text == "Slate, 128 GB: $599, in stock\nSand: out of stock\nMoss"


def test_features_have_a_line_each_and_what_is_absent_is_no_evidence() -> None:
    evidence = about_product(features=["Two doors", "Taped\nseams"])
    assert set(evidence) == {"feature"}
    assert evidence["feature"].text == "Two doors\nTaped seams"


def test_a_review_is_its_title_its_text_and_its_stars() -> None:
    row = {"id": "r", "product_id": "p", "title": "Good", "text": "Dry.", "rating": 4, "date": "2026-03-01"}
    review = review_evidence(ReviewRow.model_validate(row), NAMES)
    assert (review.text, review.rating, review.updated_at) == ("Good\nDry.\nRating: 4 of 5", 4, "2026-03-01")
    assert review.title == "Kestrel 2 review"


def test_a_question_stands_with_its_answer() -> None:
    row = {"id": "q", "product_id": "p", "question": "Is it dry?", "answer": "Yes."}
    evidence = question_evidence(QuestionRow.model_validate(row), NAMES)
    assert (evidence.evidence_id, evidence.text) == ("qa:q", "Question: Is it dry?\nAnswer: Yes.")


def test_a_fact_says_those_attributes_that_its_text_does_not() -> None:
    stock = fact(
        source_type="stock", text="The tent in Moss is in stock.", attributes={"Colour": "moss", "quantity": 14}
    )
    assert stock.text == "The tent in Moss is in stock.\nquantity: 14"


def test_a_fact_keeps_whom_where_and_when_it_holds_for() -> None:
    evidence = fact(
        category=["Camping", "Tents"], region="US", membership="gold", valid_from="2026-01-01", valid_until="2026-02-01"
    )
    assert (evidence.category, evidence.region, evidence.membership) == ("Camping > Tents", "US", "gold")
    assert (evidence.valid_from, evidence.valid_until) == ("2026-01-01", "2026-02-01")


def test_a_fact_without_a_title_is_named_by_its_kind_and_product() -> None:
    assert fact().title == "Return policy"
    assert fact(product_id="p").title == "Kestrel 2 return policy"


def test_ids_percent_encode_what_would_part_them() -> None:
    assert fact(id="50%:a#1").evidence_id == "return_policy:50%25%3Aa%231"
    assert fact(id="50%:a#1").row_id == "50%:a#1"


def test_a_document_is_numbered_only_where_it_has_several_chunks() -> None:
    assert [one.evidence_id for one in document(1)] == ["help_article:help/returns"]
    assert [one.evidence_id for one in document(2)] == ["help_article:help/returns#1", "help_article:help/returns#2"]


def test_a_chunk_knows_its_place() -> None:
    (chunk,) = document(1, keywords=["refund"], description="Sending back", audience="buyer")
    assert (chunk.section, chunk.page, chunk.title) == ("A > B", 2, "Returns")
    assert (chunk.keywords, chunk.audience) == (("refund", "Sending back"), "buyer")


def test_a_document_about_a_product_is_a_manual_unless_it_says_otherwise() -> None:
    assert document(1, product_id="p")[0].source_type == "manual"
    assert document(1, product_id="p", kind="datasheet")[0].source_type == "datasheet"
    assert document(1)[0].source_type == "help_article"


@pytest.mark.parametrize(
    ("text", "attributes", "unsaid"),
    [
        ("Back within 15 days.", {"quantity": 5}, "quantity: 5"),
        ("It weighs 1.5 kg, 5% less.", {"quantity": 5}, "quantity: 5"),
        ("Sent to Norway.", {"gift": "No"}, "gift: No"),
        ("There is no fee.", {"gift": False}, "gift: No"),
        ("Redwood.", {"Colour": "Red"}, "Colour: Red"),
        ("Five left: 5.", {"quantity": 5}, None),
        ("In (moss), 1,299 left.", {"Colour": "Moss", "quantity": "1,299"}, None),
    ],
)
def test_an_attribute_is_said_only_by_whole_words_and_numbers(
    text: str, attributes: dict[str, object], unsaid: str | None
) -> None:
    assert fact(text=text, attributes=attributes).text == "\n".join(filter(None, [text, unsaid]))


def test_a_picture_belongs_to_the_product_and_is_no_evidence() -> None:
    columns = {"id": "p", "name": "Kestrel 2", "image": "https://shop.example/p.jpg", "attributes": {"Doors": 2}}
    assert product_of(ProductRow.model_validate(columns)).image == "https://shop.example/p.jpg"
    assert "p.jpg" not in about_product(**columns)["spec"].text
