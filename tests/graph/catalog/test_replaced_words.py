"""Names like ours that say another word where ours tell themselves apart: they are not ours."""

import pytest

from graph.catalog import LocalCatalog
from ingestion.evidence import Product, Variant

NAMES = {
    "Tidewell Harbour Parka": ("Tidewell", ("Jackets",), ("Harbour Parka", "Tidewell parka")),
    "Solane Tint SPF 30": ("Solane", ("Sunscreens",), ("Solane Tint",)),
    "Halewort Barrier Cream": ("Halewort", ("Moisturisers",), ("Halewort cream",)),
    "Halewort Barrier Cream Rich": ("Halewort", ("Moisturisers",), ("Halewort Rich",)),
    "Skarn Shell": ("Skarn", ("Jackets",), ()),
    "Cinder Solo": ("Skarnlow", ("Stoves",), ("Skarnlow stove", "Cinder stove")),
    "Glimmer 300": ("Skarnlow", ("Lanterns",), ("Glimmer lantern",)),
    "Tarn 16": ("Tarn", ("Laptops",), ()),
    "Tarn 16 Studio": ("Tarn", ("Laptops",), ("Tarn Studio",)),
    "Kestrel 2": ("Fellmark", ("Tents",), ()),
    "Kestrel 2 Footprint": ("Fellmark", ("Tent accessories",), ()),
    "Longstride 45": ("Oxbarrow", ("Backpacks",), ("Longstride",)),
    "Dormouse 5 Down": ("Oxbarrow", ("Sleeping bags",), ("Dormouse Down",)),
    "Dormouse 5": ("Oxbarrow", ("Sleeping bags",), ()),
    "Corvane S13": ("Corvane", ("Laptops",), ()),
}
VARIANTS = (Variant(id="v", attributes={"Size": "XL"}),)
SHOP = LocalCatalog(
    {
        name: Product(id=name, name=name, brand=brand, category=category, aliases=aliases, variants=VARIANTS)
        for name, (brand, category, aliases) in NAMES.items()
    }
)


def found(query: str) -> list[str]:
    return [match.name for match in SHOP.find(query, [], []).matches]


@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ("Tidewell Wharf Parka", "Tidewell Wharf Parka"),
        ("is the Tidewell Wharf Parka warm?", "Tidewell Wharf Parka"),
        ("Solane Sport SPF 30", "Solane Sport SPF 30"),
        ("Tarn 18 Studio", "Tarn 18 Studio"),
        ("Is the Tarn 18 Studio out yet?", "Tarn 18 Studio"),
        ("Skarn Shell Pro", "Skarn Shell Pro"),
        ("is the Tarn 16 plus a good laptop?", "Tarn 16 plus"),
    ],
)
def test_a_word_in_the_place_of_another_makes_another_product(query: str, unknown: str) -> None:
    result = SHOP.find(query, [], [])
    assert result.matches == result.tied == ()
    assert result.unknown == (unknown,)


@pytest.mark.parametrize(
    "query", ["Halewort Hand Cream", "Cinder Duo stove", "any lanterns on sale", "waterproof jackets"]
)
def test_nor_is_what_only_shares_a_maker_or_a_kind_taken_for_ours(query: str) -> None:
    assert found(query) == []


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("tidewell harbour parka waterproof rating", "Tidewell Harbour Parka"),
        ("is the Skarnlow Glimmer 300 rain proof?", "Glimmer 300"),
        ("Studio version of the Tarn 16, how bright?", "Tarn 16 Studio"),
        ("Footprint for the Kestrel 2, what is it made of?", "Kestrel 2 Footprint"),
        ("Longstride 45 litre", "Longstride 45"),
        ("oxbarrow longstride 45l moss", "Longstride 45"),
        ("skarn shell XL", "Skarn Shell"),
        ("a friend told me to get the rich Halewort cream, is it good?", "Halewort Barrier Cream Rich"),
        ("I want the Tarn 16 plus a sleeve for it", "Tarn 16"),
        ("Corvane S 13 with LTE", "Corvane S13"),
        ("what's the down ratio in the Dormouse 5", "Dormouse 5"),
    ],
)
def test_what_only_adds_to_a_name_leaves_it_ours(query: str, name: str) -> None:
    assert found(query) == [name]
