"""Bounds: a figure that a question claims is held against the one the shop states."""

import pytest

from graph.language.limits import Bound, Limit
from graph.language.quantities import Quantity
from graph.understanding.parsed_question import constraint_in, decided_by_all, decides


def claimed(question: str) -> Limit:
    limit = constraint_in(question)
    assert limit is not None
    return limit


@pytest.mark.parametrize(
    ("question", "name", "value", "holds"),
    [
        ("Does it weigh less than 200 g?", "Weight", "168 g", True),
        ("Does it weigh less than 5 lb?", "Weight", "1.9 kg", True),
        ("Is the battery bigger than 4000 mAh?", "Battery capacity", "4,500 mAh", True),
        ("Is it under $100?", "Price", "$89.99", True),
        ("Does it cost more than $100?", "Price", "$89.99", False),
        ("Can I return it after 60 days?", "", "90 days return policy", True),
        ("Can I return it after 2 weeks?", "", "7 days return policy", False),
        ("Is the warranty 2 years?", "", "1 year warranty", False),
        ("Do you have more than 10 in stock?", "", "In stock, 40 left", True),
        ("Does it ship within 5 days?", "", "Ships in 3-5 business days", True),
        ("Does it ship within 2 days?", "", "Ships in 3-5 business days", False),
    ],
)
def test_a_claimed_figure_is_compared_with_the_stated_one(question: str, name: str, value: str, *, holds: bool) -> None:
    assert decides(claimed(question), name, value) is holds


@pytest.mark.parametrize(("load", "holds"), [("140 kg", True), ("160 kg", False)])
def test_what_a_product_bears_is_held_against_its_maximum(load: str, *, holds: bool) -> None:
    constraint = claimed(f"Can it carry {load}?")
    assert decides(constraint, "Maximum load", "150 kg") is holds
    assert decides(constraint, "Weight", "150 kg") is None


def test_a_figure_inside_a_range_decides_nothing() -> None:
    assert decides(claimed("Does it ship within 4 days?"), "", "Ships in 3-5 business days") is None


@pytest.mark.parametrize("value", ["Ships overnight", "18.21", "2 people"])
def test_figures_of_another_kind_or_without_a_unit_decide_nothing(value: str) -> None:
    assert decides(claimed("Does it weigh less than 2 kg?"), "Weight", value) is None


@pytest.mark.parametrize("question", ["How heavy is it?", "Is the X2 lighter than the X3?", "Is it good for 2 people?"])
def test_most_questions_claim_no_figure(question: str) -> None:
    constraint = constraint_in(question)
    assert constraint is None or not constraint.compares


def test_of_many_figures_only_the_one_that_is_compared_is_claimed() -> None:
    listed = ", ".join(str(figure) for figure in range(300))
    constraint = claimed(f"Of 1 or 2 {listed} is it longer than 43 cm?")
    assert (constraint.bound, constraint.quantity) == (Bound.ABOVE, Quantity("43", "centimetre"))


def test_rules_that_differ_give_no_common_verdict() -> None:
    constraint = claimed("Can I return it after 20 days?")
    assert decided_by_all(constraint, ["within 30 days", "within 14 days"]) is None
    assert decided_by_all(constraint, ["within 30 days", "within 60 days"]) == "Yes."


@pytest.mark.parametrize(
    ("question", "value", "holds"),
    [
        ("Can I return it after two weeks?", "30 days return policy", True),
        ("Is the warranty 365 days?", "One-year warranty", True),
        ("Does it have a longer battery life than 40 hours?", "Battery life: 2 days", True),
        ("Does it have more than 3 pockets?", "Pockets: 4 pockets and 2 straps", True),
        ("Does it come in more than 100 GB?", "128 or 256 GB", True),
        ("Is it longer than 40 cm?", "42 x 14 cm", None),
        ("Is it longer than 40 cm?", "250 m²", None),
    ],
)
def test_figures_are_compared_however_they_are_written(question: str, value: str, *, holds: bool | None) -> None:
    assert decides(claimed(question), "", value) is holds


@pytest.mark.parametrize("question", ["Does it still work after 5 p.m.?", "Is it part of a $50 sale?"])
def test_a_figure_beside_the_matter_is_not_compared(question: str) -> None:
    assert constraint_in(question) is None
