"""Phrases: classes of words and word groups that are found whole, in any case."""

import pytest

from graph.language.locale import phrases, table


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("selling", "Do  you sell it, or CAN YOU order it?", ["Do  you", "CAN YOU"]),
        ("assurances", "A certified tent, with a guarantee", ["certified", "guarantee"]),
        ("exclusions", "The zeroth is a sugar-free one", ["sugar-free"]),
        ("denying", "It is out of stock.", ["out of stock"]),
    ],
)
def test_phrases_are_found_whole_the_longest_first(name: str, text: str, found: list[str]) -> None:
    assert [one[0] for one in phrases(name).finditer(text)] == found


def test_every_class_finds_its_own_phrases() -> None:
    for name, listed in table("phrases").items():
        assert all(phrases(name).fullmatch(phrase.replace("*", "")) for phrase in listed if " * " not in phrase), name
