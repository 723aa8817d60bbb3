"""The index of names: compact, and the same in what it tells."""

import pytest

from graph.catalog.names import NameIndex
from ingestion.evidence import Product

PRODUCTS = {
    "x2": Product(id="x2", name="Aurora X2", brand="Aurora", category=("Phones",), aliases=("Aurora Two",)),
    "x2pro": Product(id="x2pro", name="Aurora X2 Pro", brand="Aurora", category=("Phones",)),
    "tent": Product(id="tent", name="Kestrel Kestrel Tent", brand="Fellmark", category=("Tents",)),
    "lamp": Product(id="lamp", name="Corin Desk Lamp Studio", category=("Lamps",), attributes={"MPN": "CD-220B"}),
    "desk": Product(id="desk", name="Corin Desk Lamp", category=("Lamps",)),
}


@pytest.fixture(scope="module")
def names() -> NameIndex:
    return NameIndex(PRODUCTS)


def test_all_names_of_a_product_are_told_its_name_first(names: NameIndex) -> None:
    assert [surface.units for surface in names.of_product("x2")] == [("aurora", "x2"), ("aurora", "two")]
    assert [surface.units for surface in names.of_product("lamp")][1] == ("cd220b",)
    assert names.of_product("gone") == []


def test_a_name_with_a_unit_twice_is_found_once(names: NameIndex) -> None:
    assert [surface.product_id for surface in names.candidates({"kestrel": 1.0}, 3)] == ["tent"]


def test_rare_units_say_more_than_frequent_ones_and_unknown_ones_the_most(names: NameIndex) -> None:
    assert 0 < names.idf("aurora") < names.idf("tent") == names.idf("zebra") == names.most_idf
    assert names.idf("the") == 0


def test_candidates_come_with_the_most_shared_first(names: NameIndex) -> None:
    found = names.candidates({"aurora": 1.0, "x2": 1.0, "pro": 1.0}, 3)
    assert [surface.product_id for surface in found] == ["x2pro", "x2", "x2"]
    assert names.candidates({"zebra": 1.0}, 3) == []


def test_a_name_is_found_by_exactly_its_units(names: NameIndex) -> None:
    assert [surface.product_id for surface in names.named(("aurora", "x2"))] == ["x2"]


def test_words_that_extend_names_of_a_category_set_products_apart(names: NameIndex) -> None:
    [lamp, _] = names.of_product("lamp")
    assert "studio" in lamp.marks


def test_an_empty_catalog_has_no_names() -> None:
    assert NameIndex({}).candidates({"aurora": 1.0}, 3) == []
