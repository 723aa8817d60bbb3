"""Units: a value told in the unit that was asked for."""

import pytest

from graph.language.quantities import converted
from graph.language.units import wanted_unit


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How much is it in pounds?", "pound"),
        ("and in ounces?", "ounce"),
        ("what is that in inches", "inch"),
        ("the temperature in Fahrenheit?", "fahrenheit"),
        ("How much does it hold in fluid ounces?", "fluid_ounce"),
    ],
)
def test_a_question_names_the_unit_it_wants(question: str, unit: str) -> None:
    assert wanted_unit(question) == unit


@pytest.mark.parametrize("question", ["How heavy is it?", "Does it come in blue?", "Is it in stock?"])
def test_most_questions_want_no_other_unit(question: str) -> None:
    assert wanted_unit(question) is None


@pytest.mark.parametrize(
    ("value", "unit", "figure"),
    [
        ("1.9 kg", "pound", "4.2 lb"),
        ("1,900 g", "kilogram", "1.9 kg"),
        ("6.1-inch OLED", "centimetre", "15.5 cm"),
        ("60 °C", "fahrenheit", "140 °F"),
        ("3,000 mm", "metre", "3 m"),
        ("1.7 l", "millilitre", "1700 ml"),
    ],
)
def test_a_value_is_told_in_another_unit(value: str, unit: str, figure: str) -> None:
    assert converted(value, unit) == figure


@pytest.mark.parametrize(
    ("value", "unit"), [("1.9 kg", "kilogram"), ("2 people", "pound"), ("Aluminium", "inch"), ("5 h", "gram")]
)
def test_what_cannot_be_told_in_a_unit_is_not(value: str, unit: str) -> None:
    assert converted(value, unit) is None


def test_the_first_quantity_that_can_be_told_is() -> None:
    assert converted("2 people, 1.9 kg", "pound") == "4.2 lb"


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [("66 x 34 x 26 cm", "inch", "26 x 13.4 x 10.2 in"), ("80 to 200 °C", "fahrenheit", "176 to 392 °F")],
)
def test_figures_that_share_a_unit_are_told_together(value: str, unit: str, told: str) -> None:
    assert converted(value, unit) == told
