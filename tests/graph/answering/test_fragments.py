"""Fragments: `Tarn 2: 1 year warranty.` becomes a sentence, in the shop's own words."""

import re

import pytest

from graph.answering.prose import completed
from ingestion.evidence import Evidence, Product

TENT = Product(id="tarn-2", name="Tarn 2")
SOCKS = Product(id="moor-socks", name="Moor Socks")


def stated(text: str, source_type: str, product: Product = TENT) -> str | None:
    title = f"{product.name} {source_type}"
    return completed(text, Evidence(f"{source_type}:f", source_type, text, title, "f", product_id=product.id))


@pytest.mark.parametrize(
    ("text", "source_type", "part"),
    [
        ("Tarn 2: 1 year warranty.", "warranty", r"Tarn 2 has a 1.year warranty\."),
        ("Tarn 2: Ships in 1 week", "delivery", r"Tarn 2 ships in 1 week\."),
        ("Tarn 2: In Stock", "stock", r"Tarn 2 is in (?i:stock)\."),
        ("Tarn 2: No return policy", "return_policy", r"Tarn 2 has no return policy\."),
        ("tarn 2: 30 days return policy", "return_policy", r"Tarn 2 has a 30.days? return policy\."),
    ],
)
def test_a_fragment_is_completed_by_a_verb(text: str, source_type: str, part: str) -> None:
    assert re.search(part, stated(text, source_type) or "")


def test_a_plural_product_takes_a_plural_verb() -> None:
    assert "Moor Socks have a 1" in (stated("Moor Socks: 1 year warranty.", "warranty", SOCKS) or "")
    assert "Moor Socks are out of stock" in (stated("Moor Socks: out of stock", "stock", SOCKS) or "")


@pytest.mark.parametrize(
    ("text", "source_type"),
    [
        ("Tarn 2 has a warranty.", "warranty"),
        ("Note: Tarn 2 has a warranty.", "warranty"),
        ("Tarn 3: 1 year warranty.", "warranty"),
        ("Tarn 2: something about it", "payment"),
        ("Tarn 2: ", "warranty"),
    ],
)
def test_other_texts_stay_as_they_are(text: str, source_type: str) -> None:
    assert stated(text, source_type) is None


def test_a_fact_about_the_whole_shop_is_not_completed() -> None:
    shop_wide = Evidence("warranty:f", "warranty", "Tarn 2: 1 year warranty.", "Tarn 2 warranty", "f")
    assert completed(shop_wide.text, shop_wide) is None
