"""Stating an attribute: a sentence of its family only where that says all that the attribute's name does."""

import pytest

from graph.language.sentences import state


@pytest.mark.parametrize(
    ("attribute", "value", "sentence"),
    [
        ("Weight", "1.9 kg", "The Heron 2 weighs 1.9 kg."),
        ("Item weight", "1.9 kg", "The Heron 2 weighs 1.9 kg."),
        ("Maximum pot weight", "3 kg", "The maximum pot weight of the Heron 2 is 3 kg."),
        ("Packed weight", "2 kg", "The packed weight of the Heron 2 is 2 kg."),
        ("Price", "$20", "The Heron 2 costs $20."),
        ("List price", "$30", "The list price of the Heron 2 is $30."),
        ("Battery capacity", "4,500 mAh", "The Heron 2 has a 4,500 mAh battery."),
        ("Replacement battery", "50 Wh", "The replacement battery of the Heron 2 is 50 Wh."),
    ],
)
def test_what_a_name_adds_to_its_family_is_said(attribute: str, value: str, sentence: str) -> None:
    assert state("Heron 2", attribute, value) == sentence
