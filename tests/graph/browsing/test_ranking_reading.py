"""Superlatives: what a question wants the most or the least of."""

import pytest

from graph.browsing.superlatives import read_superlative


@pytest.mark.parametrize(
    ("query", "shown", "place"),
    [
        ("Which tent is the lightest?", "lightest", 1),
        ("what is your cheapest laptop", "cheapest", 1),
        ("the second heaviest tent", "heaviest", 2),
        ("most expensive perfume", "most expensive", 1),
        ("the least expensive perfume", "least expensive", 1),
        ("which kettle holds the most", "most", 1),
        ("your priciest perfume", "priciest", 1),
        ("any budget tents", "cheapest", 1),
        ("which of the three is lighter", "lightest", 1),
    ],
)
def test_a_superlative_is_read_with_its_place(query: str, shown: str, place: int) -> None:
    found = read_superlative(query)
    assert found is not None
    assert (found.shown, found.place) == (shown, place)


@pytest.mark.parametrize(
    "query",
    [
        "best tent for families",
        "tents for at most $200",
        "does it need any more pegs",
        "Is the Tarn 2 light?",
        "a tent, my budget is $200",
    ],
)
def test_what_ranks_by_nothing_is_none(query: str) -> None:
    assert read_superlative(query) is None


@pytest.mark.parametrize(
    ("query", "way", "timed", "direction"),
    [
        ("the cheapest tent", "price", False, -1),
        ("the least expensive tent", "price", False, -1),
        ("the biggest battery", "battery capacity", False, 1),
        ("the smallest battery", "battery capacity", False, -1),
        ("the fastest delivery", "delivery time", True, -1),
        ("the fastest kettle", "boil time", True, -1),
        ("the fastest laptop", "clock speed", False, 1),
        ("the slowest laptop", "clock speed", False, -1),
    ],
)
def test_an_adjective_wants_more_or_less(query: str, way: str, timed: bool, direction: int) -> None:  # noqa: FBT001
    found = read_superlative(query)
    assert found is not None
    assert found.direction_for(way, timed=timed) == direction


def test_the_phrase_beside_it_and_the_verb_before_it_are_told_apart() -> None:
    screen = read_superlative("which laptop has the biggest screen size?")
    kettle = read_superlative("which kettle holds the most?")
    assert screen is not None
    assert kettle is not None
    assert screen.phrase == ("screen", "size")
    assert (kettle.phrase, kettle.verb) == ((), "holds")


@pytest.mark.parametrize(
    "query", ["what's the lightest laptop you've got under 900", "the lightest laptop that's in stock"]
)
def test_its_phrase_ends_where_another_clause_begins(query: str) -> None:
    found = read_superlative(query)
    assert found is not None
    assert found.phrase == ("laptop",)
