"""Reading a request: limits, an order, and the words that describe what is looked for."""

import pytest

from graph.browsing.request import BrowsingRequest
from ingestion.evidence import Money, Product
from ingestion.stems import stem


def read(text: str) -> BrowsingRequest:
    return BrowsingRequest(text, text)


def affords(text: str, amount: float) -> bool:
    product = Product(id="x", name="X", price=Money(amount=amount, currency="USD"))
    return read(text).affords(product)


@pytest.mark.parametrize(
    ("text", "fits", "too_little", "too_much"),
    [
        ("show me tents under $200", 199.99, None, 200),
        ("tents below 200 dollars", 199.99, None, 200),
        ("tents for at most €1,200.50", 1200.5, None, 1200.51),
        ("tents for no more than 200", 200, None, 200.01),
        ("a tent, max 60 dollars", 60, None, 60.01),
        ("a tent under 60 bucks", 59.99, None, 60),
        ("tents of $200 or less", 200, None, 200.01),
        ("tents < 200", 199, None, 200),
        ("tents over $50", 50.01, 50, None),
        ("tents of at least 50", 50, 49.99, None),
        ("tents between $100 and $250", 100, 99.99, 250.01),
        ("tents from $100 to $250", 250, 99.99, 250.01),
        ("tents over $50 and under $90", 60, 50, 90),
    ],
)
def test_a_price_holds_exactly(text: str, fits: float, too_little: float | None, too_much: float | None) -> None:
    assert affords(text, fits)
    assert not any(affords(text, amount) for amount in (too_little, too_much) if amount is not None)


@pytest.mark.parametrize(
    "text", ["show me tents", "tents under 2 kg", "phones with more than 2 cameras", "the Glimmer 300"]
)
def test_what_sets_no_price_affords_all(text: str) -> None:
    assert affords(text, 10_000)


@pytest.mark.parametrize(
    ("text", "figure", "unit", "inside"),
    [
        ("tents under 2 kg", 2, "kilogram", 1.9),
        ("tents of 2 kg or less", 2, "kilogram", 2),
        ("kettles that hold at least 1.5 litres", 1.5, "litre", 1.5),
        ("laptops with up to 16 GB", 16, "gigabyte", 16),
    ],
)
def test_a_bound_of_another_measure_has_its_unit(text: str, figure: float, unit: str, inside: float) -> None:
    [limit] = read(text).measured
    assert (limit.quantity.number, limit.quantity.unit) == (figure, unit)
    assert limit.holds(inside)


def test_both_ends_of_a_range_have_the_unit() -> None:
    low, high = read("tents between 1 and 2 kg").measured
    assert [(limit.least, limit.quantity.number, limit.quantity.unit) for limit in (low, high)] == [
        (True, 1, "kilogram"),
        (False, 2, "kilogram"),
    ]


def test_what_describes_the_product_is_left() -> None:
    assert read("Can you recommend a good freestanding tent under $200?").terms == {
        stem("freestanding"),
        stem("tent"),
    }


def test_a_request_that_describes_nothing_has_no_terms() -> None:
    assert read("show me something nice").terms == frozenset()


@pytest.mark.parametrize(
    ("text", "sold"),
    [
        ("Do you sell kayaks?", "kayaks"),
        ("have you got any dog beds", "dog beds"),
        ("do you carry anything vegan?", ""),
        ("do you have other products", ""),
        ("how heavy are your kayaks?", ""),
    ],
)
def test_what_it_asks_for_by_sale_is_said_as_it_was(text: str, sold: str) -> None:
    assert read(text).sold == sold


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("kettle with temperature control??", True),
        ("a quiet kettle", True),
        ("kettle under $40", True),
        ("kettle warranty", False),
        ("kettle is leaking", False),
        ("my kettle", False),
        ("is the kettle with the blue lid quiet", False),
        ("jug with a lid", False),
    ],
)
def test_a_kind_and_what_it_is_to_be_is_a_description_of_it(text: str, described: bool) -> None:  # noqa: FBT001 - expected
    request = BrowsingRequest(text, text, category=("Kitchen", "Kettles"))
    assert request.describes_kind is described
