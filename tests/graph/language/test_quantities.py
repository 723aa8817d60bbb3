"""Quantities: figures with units, and what values measure; what measures several things is left out."""

import pytest

from graph.language.quantities import Joint, amount_of, comparable, joint_of, quantities


@pytest.mark.parametrize(
    ("value", "figure", "unit"),
    [
        ("1.9 kg", 1.9, "kilogram"),
        ("289 g (US 9)", 289.0, "gram"),
        ("Up to 15 kg", 15.0, "kilogram"),
        ("42 x 14 cm", 588.0, "centimetre ** 2"),
        ("45 to 52 dB", 52.0, "decibel"),
        ("down to -8 °C at rest", -8.0, "celsius"),
        ("14-inch OLED", 14.0, "inch"),
        ("2 people", 2.0, None),
        ("4", 4.0, None),
    ],
)
def test_a_value_opens_with_what_it_measures(value: str, figure: float, unit: str | None) -> None:
    amount = amount_of(value)
    assert amount is not None
    assert (amount.number, amount.unit) == (figure, unit)


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
    assert comparable(amounts) == [1.9, 2.1]


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
