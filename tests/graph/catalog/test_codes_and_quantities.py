"""Model numbers and amounts, as names from elsewhere spell them."""

import pytest

from graph.catalog.matching.features import resemblances
from graph.catalog.matching.profile import PLAIN, are_siblings, codes, quantities, squash, years


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("01-ssc-3363 sonicwall", {"01ssc3363"}),
        ("Sony WH-1000XM4 black", {"wh1000xm4"}),
        ("label maker 301486", {"301486"}),
        ("256gb 3-pack 2007 90-watt mp3", set()),
    ],
)
def test_codes_are_told_from_amounts_years_and_words(text: str, found: set[str]) -> None:
    assert codes(text) == found


def test_a_code_is_the_same_however_it_is_hyphenated() -> None:
    assert codes("LS-WX1.0TL") == codes("lswx1.0-tl") == {squash("LSWX10TL")}


def test_siblings_begin_alike_and_go_on_differently() -> None:
    assert are_siblings(frozenset({"idr355md"}), frozenset({"idr300d"}))
    assert not are_siblings(frozenset({"8489a001aa"}), frozenset({"8489a001"}))
    assert not are_siblings(frozenset({"abc123"}), frozenset({"xyz123"}))


def test_amounts_are_compared_in_one_measure_of_their_kind() -> None:
    assert quantities(["2tb"])["memory"] == quantities(["2000gb"])["memory"]
    assert quantities(["50cm"])["length"] == quantities(["500mm"])["length"]
    assert quantities(["2007", "3", "256gb"])[PLAIN] == {2007, 3}


def test_a_plain_number_may_be_a_year() -> None:
    assert years({2007.0, 3.0, 1850.0}) == {2007.0}


@pytest.mark.parametrize(
    ("unit", "others", "squashed", "least", "most"),
    [
        ("spysweeper", ["spy", "sweeper"], "spysweeperpc", 0.9, 0.9),
        ("pro", ["professional"], "x", 0.7, 0.8),
        ("heros", ["heroes"], "x", 0.7, 0.9),
        ("std", ["standard"], "x", 0.3, 0.5),
        ("cat", ["dog"], "x", 0.0, 0.0),
        ("x2", ["x3"], "x3", 0.0, 0.0),
    ],
)
def test_a_unit_may_stand_for_another_spelling(
    unit: str, others: list[str], squashed: str, least: float, most: float
) -> None:
    assert least <= resemblances([unit], others, squashed)[unit] <= most
