import pytest

from graph.catalog import LocalCatalog


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("show me your laptops", ("Laptops",)),
        ("do you have a laptop for school", ("Laptops",)),
        ("what lamps do you have", ("Furniture", "Lamps")),
        ("your two-person tents", ("Camping", "Two-person tents")),
        ("phone accessories", ("Phone accessories",)),
        ("camping gear", ("Camping",)),
    ],
)
def test_a_category_is_named_in_singular_or_plural(shop: LocalCatalog, query: str, path: tuple[str, ...]) -> None:
    assert shop.find(query, [], []).category == path


def test_a_noun_of_several_categories_names_what_they_share(shop: LocalCatalog) -> None:
    assert shop.find("which tents do you sell?", [], []).category == ("Camping",)


def test_words_of_a_product_name_are_no_category(shop: LocalCatalog) -> None:
    assert shop.find("how bright is the Corin Desk Lamp", [], []).category == ()


def test_no_category_is_named_by_other_words(shop: LocalCatalog) -> None:
    assert shop.find("do you ship to Norway?", [], []).category == ()
