"""Notation: values that a catalog keeps as objects in braces, read as words."""

import pytest

from graph.language.notation import measured_parts, plain_name, plain_value

DIMENSIONS = (
    "{ width:{ unit:inches, value:5. }, height:{ unit:inches, normalized_value:{ unit:cm, value:17.8 }, value:7 } }"
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1.9 kg", "1.9 kg"),
        ('{ value:"blue" }', "blue"),
        ("{ value:true }", "yes"),
        ("{ value:false }", "no"),
        ("{ unit:pounds, value:2. }", "2 pounds"),
        ("{ unit:ounces, normalized_value:{ unit:pounds, value:0.53 }, value:8.48 }", "0.53 pounds"),
        ('{ value:"vinyl" }; { value:"plastic" }', "vinyl, plastic"),
        ('{ standardized_values:[ "blue" ], value:"navy blue" }', "navy blue"),
        ("{ quantity:4, type:aa }", "quantity 4, aa"),
        (DIMENSIONS, "width 5 inches, height 17.8 cm"),
        ('{ value:"gas_powered" }', "gas powered"),
    ],
)
def test_a_value_in_braces_is_read_as_words(written: str, read: str) -> None:
    assert plain_value(written) == read


@pytest.mark.parametrize("broken", ['{ value:"9" x 16.3" }', "{ value:[1, 2 }", "{{{ }"])
def test_what_is_not_well_formed_loses_its_braces_and_nothing_else(broken: str) -> None:
    said = plain_value(broken)
    assert "{" not in said
    assert all(figure in said for figure in ("9", "16.3", "1", "2") if figure in broken)


def test_named_quantities_are_parts_of_their_own() -> None:
    assert measured_parts(DIMENSIONS) == (("width", "5 inches"), ("height", "17.8 cm"))


@pytest.mark.parametrize(
    "whole", ["5 x 7 inches", '{ value:"blue" }', "{ unit:inches, value:5 }", "{ quantity:4, type:aa }"]
)
def test_what_has_no_named_quantities_has_no_parts(whole: str) -> None:
    assert measured_parts(whole) == ()


def test_a_name_is_written_with_blanks() -> None:
    assert plain_name("item_weight") == "item weight"
    assert plain_name("Wi-Fi") == "Wi-Fi"


@pytest.mark.parametrize("value", ["{" * 5_000 + "a" + "}" * 5_000, "{ a:&x { b:c }, d:{ e:*x, f:*x } }"])
def test_a_value_that_nests_without_end_or_refers_to_itself_loses_its_braces_alone(value: str) -> None:
    assert plain_value(value) == " ".join(value.replace("{", " ").replace("}", " ").split())
    assert measured_parts(value) == ()
