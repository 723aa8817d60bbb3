"""Quantities: figures with units and limits, and what values measure; what measures several things is left out."""

import math

import pytest

from graph.language.quantities import (
    Bound,
    Joint,
    amount_of,
    bounds_in,
    comparable,
    duration_in,
    joint_of,
    quantities,
    share_in,
)


@pytest.mark.parametrize(
    ("value", "sides", "unit"),
    [
        ("1.9 kg", (1.9,), "kilogram"),
        ("289 g (US 9)", (289.0,), "gram"),
        ("Up to 15 kg", (15.0,), "kilogram"),
        ("42 x 14 cm", (42.0, 14.0), "centimetre"),
        ("45 to 52 dB", (52.0,), "decibel"),
        ("down to -8 °C at rest", (-8.0,), "celsius"),
        ("14-inch OLED", (14.0,), "inch"),
        ("2 people", (2.0,), None),
        ("4", (4.0,), None),
    ],
)
def test_a_value_opens_with_what_it_measures(value: str, sides: tuple[float, ...], unit: str | None) -> None:
    amount = amount_of(value)
    assert amount is not None
    assert (amount.sides, amount.unit) == (sides, unit)


@pytest.mark.parametrize(
    "value", ["2 chest, 1 inner", "IPX4", "No", "215 x 75 cm, 60 cm at the foot", "Aluminium, 9 mm"]
)
def test_a_value_that_measures_nothing_or_several_things_has_no_amount(value: str) -> None:
    assert amount_of(value) is None


def test_amounts_are_compared_in_the_unit_of_most() -> None:
    amounts = [amount for value in ("1.9 kg", "2.1 kg", "60 g") if (amount := amount_of(value))]
    assert comparable(amounts) == [1.9, 2.1, pytest.approx(0.06)]


def test_amounts_of_other_kinds_are_not_compared() -> None:
    amounts = [amount for value in ("1.9 kg", "2.1 kg", "30 cm", "7") if (amount := amount_of(value))]
    assert comparable(amounts) == [1.9, 2.1, None, None]


def test_rules_state_a_length_of_time_or_a_share() -> None:
    three, months = duration_in("3 year warranty."), duration_in("Covered for 6 months.")
    assert three is not None
    assert months is not None
    assert comparable([three, months])[0] == 3
    assert duration_in("Lifetime warranty.") is not None
    assert duration_in("No warranty.") is None
    assert duration_in("Ships in 3-5 business days.") == duration_in("Ships in 5 days.")
    assert share_in("10.48 % discount.") is not None


def test_what_lasts_a_lifetime_is_longest() -> None:
    amounts = [amount for text in ("3 years", "Lifetime warranty") if (amount := duration_in(text))]
    assert comparable(amounts) == [3, math.inf]


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("It weighs over 1.9 kg.", [(Bound.ABOVE, "over 1.9")]),
        ("No more than 5 people fit.", [(Bound.BELOW, "No more than 5")]),
        ("Orders at least €50 ship within 3 to 5 days.", [(Bound.ABOVE, "at least €50"), (Bound.UNTIL, "within 3")]),
        ("The sale runs from 1 May until 31 May.", [(Bound.FROM, "from 1"), (Bound.UNTIL, "until 31")]),
        ("It weighs 1.9 kg.", []),
    ],
)
def test_what_stands_before_a_figure_tells_its_limit(text: str, limits: list[tuple[Bound, str]]) -> None:
    assert bounds_in(text) == limits


@pytest.mark.parametrize(
    ("text", "joint"),
    [
        ("3 to 5 days", Joint.RANGE),
        ("3–5 days", Joint.RANGE),
        ("42 x 14 cm", Joint.PRODUCT),
        ("42 by 14 cm", Joint.PRODUCT),
        ("256 or 512 GB", Joint.CHOICE),
        ("2 and 3 kg", Joint.LIST),
        ("2 kg in 3 boxes", None),
    ],
)
def test_what_stands_between_figures_joins_them(text: str, joint: Joint | None) -> None:
    one, following = quantities(text)
    assert joint_of(text, one, following) is joint


def test_figures_that_are_joined_share_their_unit() -> None:
    assert [one.quantity.unit for one in quantities("3 to 5 working days, 2 boxes")] == ["day", "day", None]


def test_working_days_are_days_that_are_told_apart() -> None:
    working, plain = quantities("5 working days, 7 days")
    assert (working.quantity.unit, working.unit, working.working) == ("day", "working days", True)
    assert (plain.quantity.unit, plain.working) == ("day", False)
