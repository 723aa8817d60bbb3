"""Noun phrases: what a message names, lifted whole, or not at all."""

import pytest

from graph.language.english import noun_phrases


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is there a dark mode", ["dark mode"]),
        ("do you take bitcoin", ["bitcoin"]),
        ("Do you deliver to Norway?", ["Norway"]),
        ("How long does delivery to Norway take?", ["delivery", "Norway"]),
        ("keep it on the bathroom shelf or nah", ["bathroom shelf"]),
        ("parchment liners in this, ok", ["parchment liners"]),
        ("coated, or bare metal", ["bare metal"]),
    ],
)
def test_a_noun_phrase_stands_as_it_was_typed(text: str, found: list[str]) -> None:
    assert noun_phrases(text) == found


@pytest.mark.parametrize("text", ["does it survive", "or nah", "is it loud", "and then", ""])
def test_what_names_nothing_has_none(text: str) -> None:
    assert noun_phrases(text) == []


def test_a_phrase_whose_end_is_in_doubt_is_none() -> None:
    assert noun_phrases("does it have a mosquito net") == []
