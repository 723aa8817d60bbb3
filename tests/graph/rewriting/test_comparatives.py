"""Picking by comparing: "the longer one" is the one with more of it, whatever units the shop writes."""

import pytest

from graph.rewriting.selection import find_comparative
from ingestion.evidence import Money, Product


def one(name: str, **attributes: str) -> Product:
    return Product(id=name, name=name, attributes={key.replace("_", " "): value for key, value in attributes.items()})


@pytest.mark.parametrize(
    ("query", "first", "second", "picked"),
    [
        ("the longer one", {"Battery_life": "90 min"}, {"Battery_life": "2 h"}, "B"),
        ("the longer one", {"Length": "50 cm"}, {"Length": "1.2 metres"}, "B"),
        ("the lighter one", {"Weight": "900 g"}, {"Weight": "1.2 kg"}, "A"),
        ("the heavier one", {"Weight": "900 g"}, {"Weight": "2 lb"}, "B"),
        ("the bigger one", {"Capacity": "2 litres"}, {"Capacity": "500 ml"}, "A"),
        ("the smaller one", {"Dimensions": "42 x 14 cm"}, {"Dimensions": "300 x 100 mm"}, "B"),
        ("the less powerful one", {"Power": "1.5 kW"}, {"Power": "900 W"}, "B"),
    ],
)
def test_a_comparative_picks_by_what_is_measured(
    query: str, first: dict[str, str], second: dict[str, str], picked: str
) -> None:
    found = find_comparative(query, [one("A", **first), one("B", **second)])
    assert found is not None
    assert found.products[0].name == picked


def test_what_measures_different_things_picks_nothing() -> None:
    assert find_comparative("the bigger one", [one("A", Capacity="2 litres"), one("B", Capacity="3 people")]) is None


def test_equals_pick_nothing() -> None:
    assert find_comparative("the lighter one", [one("A", Weight="1 kg"), one("B", Weight="1,000 g")]) is None


def test_a_price_is_compared_without_an_attribute() -> None:
    cheap = Product(id="A", name="A", price=Money(9, "USD"))
    found = find_comparative("the cheaper one", [Product(id="B", name="B", price=Money(10, "USD")), cheap])
    assert found is not None
    assert found.products[0] == cheap


@pytest.mark.parametrize(
    "query", ["the cheaper of the two", "is the cheaper of them any good", "the more affordable one"]
)
def test_the_whole_phrase_is_taken(query: str) -> None:
    dear, cheap = (Product(id=name, name=name, price=Money(price, "USD")) for name, price in (("B", 10), ("A", 9)))
    found = find_comparative(query, [dear, cheap])
    assert found is not None
    assert found.products[0] == cheap
    left = (query[: found.start] + query[found.end :]).split()
    assert left in ([], ["is", "any", "good"])
