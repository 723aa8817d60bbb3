import pytest

from graph.catalog import LocalCatalog


@pytest.mark.parametrize(
    ("query", "unknown", "nearest"),
    [
        ("battery of the Aurora X9", "Aurora X9", "Aurora X2"),
        ("Aurora X9", "Aurora X9", "Aurora X3"),
        ("and the X9?", "X9", "Aurora X3"),
        ("kestrel 5 weight", "kestrel 5", "Kestrel 3"),
        ("How about iPhone 14?", "iPhone 14", "iPhone 13 Pro"),
        ("is the iPhone 13 waterproof?", "iPhone 13", "iPhone 13 Pro"),
        ("is the Aurora X2 Ultra waterproof?", "Aurora X2 Ultra", "Aurora X2"),
    ],
)
def test_another_model_is_not_taken_for_ours(shop: LocalCatalog, query: str, unknown: str, nearest: str) -> None:
    result = shop.find(query, [], [])
    assert result.unknown == (unknown,)
    assert nearest in [match.name for match in result.nearest]
    assert result.matches == result.tied == ()


def test_not_even_when_a_product_of_the_line_is_at_hand(shop: LocalCatalog) -> None:
    result = shop.find("and the Aurora X9?", ["Aurora X2"], ["Aurora X2"])
    assert result.unknown == ("Aurora X9",)
    assert result.matches == ()


def test_a_stranger_is_named_where_a_product_is_expected(shop: LocalCatalog) -> None:
    assert shop.find("what about the Pixel 8?", [], []).unknown == ("Pixel 8",)


@pytest.mark.parametrize(
    "query",
    [
        "does it run Windows 11?",
        "is it IP68 rated?",
        "does it have an A15 chip",
        "is the Aurora X2 good for 4K video?",
        "is there a 256GB version of the Aurora X2?",
        "does the Kestrel 2 sleep 3?",
    ],
)
def test_a_figure_that_is_no_product_is_not_unknown(shop: LocalCatalog, query: str) -> None:
    assert shop.find(query, [], []).unknown == ()


def test_what_is_said_of_a_makers_things_is_no_name(shop: LocalCatalog) -> None:
    assert shop.find("size chart for the corin lamps", [], []).unknown == ()


def test_a_known_and_an_unknown_product_are_told_apart(shop: LocalCatalog) -> None:
    result = shop.find("is the Aurora X3 better than the Aurora X9?", [], [])
    assert [match.name for match in result.matches] == ["Aurora X3"]
    assert result.unknown == ("Aurora X9",)
