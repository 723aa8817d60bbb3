"""Model numbers and words, as names from elsewhere spell them."""

import pytest

from graph.catalog.matching import codes, resemblance, squash


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


@pytest.mark.parametrize(
    ("unit", "others", "squashed", "least", "most"),
    [
        ("spysweeper", ["spy", "sweeper"], "spysweeperpc", 0.9, 0.9),
        ("pro", ["professional"], "x", 0.7, 0.8),
        ("heros", ["heroes"], "x", 0.7, 0.9),
        ("cat", ["dog"], "x", 0.0, 0.0),
        ("x2", ["x3"], "x3", 0.0, 0.0),
    ],
)
def test_a_unit_may_stand_for_another_spelling(
    unit: str, others: list[str], squashed: str, least: float, most: float
) -> None:
    assert least <= resemblance(unit, others, squashed) <= most
