from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.catalog.units import units


def normal(text: str) -> list[str]:
    return [unit.text for unit in units(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("iPhone13 Pro", "iphone 13 pro"),
        ("14 inch", "14-inch"),
        ("14in", "14 inches"),
        ('14" screen', "14 inch screen"),
        ("256 GB", "256gb"),
        ("WH-1000XM4", "wh1000xm4"),
        ("X 3", "X3"),
        ("Crème Brûlée", "creme brulee"),
        ("women's shoes", "women shoe"),
        ("Potatoes", "potato"),
        ("Watches", "watch"),
        ("Glasses", "glass"),
    ],
)
def test_spellings_of_the_same_thing_are_equal(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), [("X2", "X3"), ("iPhone 13", "iPhone 14"), ("5s", "5"), ("glass", "gla")])
def test_different_models_stay_different(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_a_models_number_in_the_plural_is_the_model_unless_there_is_another_of_that_name() -> None:
    assert [unit.text for unit in units("do you ship Cadence 5s", {"cadence", "5"})][-2:] == ["cadence", "5"]
    assert [unit.text for unit in units("iPhone 5s", {"iphone", "5", "5s"})] == ["iphone", "5s"]


def test_a_quoted_number_is_not_in_inches() -> None:
    assert normal('is the "Kestrel 2" dry') == normal("is the Kestrel 2 dry")


@given(st.text(max_size=60))
def test_units_point_at_the_text_in_order(text: str) -> None:
    cut = units(text)
    assert all(0 <= unit.start < unit.end <= len(text) for unit in cut)
    assert all(left.end <= right.start for left, right in pairwise(cut))
