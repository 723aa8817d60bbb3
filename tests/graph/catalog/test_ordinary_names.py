"""Products called by an ordinary word: found where the form says that it is a name, and nowhere else."""

import pytest

from graph.catalog import LocalCatalog
from ingestion.evidence import Product

NAMES = {
    "Water": "Groceries",
    "Glass": "Kitchen",
    "Milk": "Groceries",
    "Travel Blender": "Blenders",
    "Blender Go": "Blenders",
}
SHOP = LocalCatalog({name: Product(id=name, name=name, category=(kind,)) for name, kind in NAMES.items()})


def found(query: str) -> list[str]:
    return [match.id for match in SHOP.find(query, (), ()).matches]


@pytest.mark.parametrize(
    "query",
    [
        "is it water resistant",
        "Water resistant?",
        "is the water resistant coating washable",
        "can I use it in water",
        "does it need water",
        "is it made of glass",
        "what is it made of, glass?",
    ],
)
def test_a_word_for_a_quality_names_no_product(query: str) -> None:
    assert found(query) == []


@pytest.mark.parametrize(
    "query",
    [
        "water",
        "how much is water",
        "Water price",
        "price of water",
        "do you sell water?",
        "tell me about Water",
        "is the water organic",
        "does the water contain salt",
    ],
)
def test_the_same_word_is_a_name_by_its_place_or_its_capital(query: str) -> None:
    assert found(query) == ["Water"]


@pytest.mark.parametrize("query", ["WHAT IS IT MADE OF, GLASS?", "I NEED IT WITH LOTS OF WATER. where is my parcel"])
def test_capitals_of_a_clause_in_capitals_name_nothing(query: str) -> None:
    assert found(query) == []


def test_two_such_names_are_found_side_by_side() -> None:
    assert found("milk or water, which is cheaper?") == ["Milk", "Water"]


@pytest.mark.parametrize("query", ["blender price", "cheapest blender", "blender warranty"])
def test_the_word_for_a_category_is_no_name_of_one_of_its_products(query: str) -> None:
    result = SHOP.find(query, (), ())
    assert result.matches == ()
    assert result.category == ("Blenders",)
