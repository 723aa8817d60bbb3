"""Which products a statement about a group is about."""

import pytest

from ingestion.evidence import Evidence, Product, concerns

SHOE = Product("s", "Strider", brand="Fell & Co", category=("Sport", "Running shoes"))


def statement(category: str | None = None, brand: str | None = None) -> Evidence:
    return Evidence("offer:o", "offer", "Text.", "Offer", "o", category=category, brand=brand)


@pytest.mark.parametrize("category", ["Running shoes", "running shoe", "Sport", "Sport > Running shoes", "sports"])
def test_a_category_holds_for_the_products_below_it(category: str) -> None:
    assert concerns(statement(category=category), SHOE)


@pytest.mark.parametrize("category", ["Shoes", "Jackets", "Camping > Running shoes"])
def test_another_category_does_not(category: str) -> None:
    assert not concerns(statement(category=category), SHOE)


def test_a_brand_holds_for_its_products_and_both_must_hold() -> None:
    assert concerns(statement(brand="FELL & CO"), SHOE)
    assert not concerns(statement(brand="Fell"), SHOE)
    assert not concerns(statement(category="Jackets", brand="Fell & Co"), SHOE)


def test_what_names_no_group_is_about_no_product() -> None:
    assert not concerns(statement(), SHOE)
