"""A gap is told in the words of the question, and says neither yes nor no."""

import pytest

from graph.sensitive.phrasing import gap
from ingestion.evidence import Product

TENT = Product(id="kestrel-2", name="Kestrel 2")


@pytest.mark.parametrize(
    ("clause", "whether"),
    [
        ("Is it fire retardant?", "it counts as fire retardant"),
        ("and is it safe for toddlers", "it counts as safe for toddlers"),
        ("Does it contain nuts?", "it contains nuts"),
        ("Does it comply with RoHS?", "it complies with RoHS"),
        ("Does it have the CE mark?", "it has the CE mark"),
        ("Can I use it if I have eczema?", "you can use it if you have eczema"),
        ("Is the lid BPA-free?", "the lid counts as BPA-free"),
        ("Do they contain latex?", "they contain latex"),
    ],
)
def test_a_yes_no_question_turns_into_what_is_not_said(clause: str, whether: str) -> None:
    said = f"The shop's own information on the Kestrel 2 does not say whether {whether}, so I can't confirm it."
    assert gap(clause, TENT) == said


@pytest.mark.parametrize("clause", ["What is the SAR value?", "fda approved?", "Hello. Is it safe? I wonder.", ""])
def test_other_questions_are_not_told_again(clause: str) -> None:
    assert gap(clause, None) == "The shop's own information does not settle that, so I can't confirm it."
