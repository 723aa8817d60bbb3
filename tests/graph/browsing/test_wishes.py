"""Wishes: limits on the price, an order, and the words that describe what is looked for."""

import pytest

from graph.browsing.wishes import wish_of
from ingestion.stems import stem


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("show me tents under $200", None, 200.0),
        ("tents below 200 dollars", None, 200.0),
        ("tents for at most €1,200.50", None, 1200.5),
        ("tents over $50", 50.0, None),
        ("tents of at least 50", 50.0, None),
        ("tents between $100 and $250", 100.0, 250.0),
        ("tents over $50 and under $90", 50.0, 90.0),
        ("show me tents", None, None),
    ],
)
def test_limits_on_the_price(text: str, least: float | None, most: float | None) -> None:
    wish = wish_of(text)
    assert (wish.least, wish.most) == (least, most)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("the cheapest tent", "cheapest"),
        ("your most affordable tent", "cheapest"),
        ("the most expensive tent", "dearest"),
        ("show me tents", None),
    ],
)
def test_an_order_by_price(text: str, order: str | None) -> None:
    assert wish_of(text).order == order


def test_what_describes_the_product_is_left() -> None:
    assert wish_of("Can you recommend a good freestanding tent under $200?").terms == {
        stem("freestanding"),
        stem("tent"),
    }


def test_a_request_that_describes_nothing_has_no_terms() -> None:
    assert wish_of("show me something nice").terms == frozenset()
