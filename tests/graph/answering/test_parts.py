"""Coordinations: each part that a question asks for together is answered, or named as missing."""

import pytest

from tests.graph.answering.asking import cited_in, draft_of, facts_said, question, said
from tests.graph.shops import make_shop

ATTRIBUTES = {"Folding handle": "Yes", "Seat belt": "Yes", "Drum brake": "No", "Weight": "9 kg", "Load": "40 kg"}
CART = {"id": "cart", "name": "Orra Cart", "category": ["Carts"], "attributes": ATTRIBUTES}
VAN = {
    "id": "van",
    "name": "Orra Van",
    "category": ["Carts"],
    "attributes": {"Folding handle": "No", "Seat belt": "Yes", "Weight": "12 kg", "Shelf life": "24 months"},
}
SHOP = make_shop([CART, VAN])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Does the Orra Cart have a folding handle and a seat belt?", ["folding handle", "seat belt"]),
        ("Does it have a seat belt, a folding handle and a drum brake?", ["seat belt", "folding handle", "drum brake"]),
        ("What is the weight and load of the Orra Cart?", ["9 kg", "40 kg"]),
        ("Is there a seat belt as well as a drum brake?", ["seat belt", "drum brake"]),
    ],
)
def test_every_part_is_answered(text: str, told: list[str]) -> None:
    stated = facts_said(draft_of(question(SHOP, text, "cart")))
    assert [part for part in told if part not in stated] == []


@pytest.mark.parametrize(
    ("text", "told", "open_"),
    [
        ("Does it have a seat belt and cup holders?", "seat belt", "cup holders"),
        ("Does it have cup holders and a seat belt?", "seat belt", "cup holders"),
        ("What is the weight and the charging socket?", "9 kg", "charging socket"),
    ],
)
def test_a_part_without_an_answer_is_named_beside_those_that_have_one(text: str, told: str, open_: str) -> None:
    draft = draft_of(question(SHOP, text, "cart"))
    assert told in facts_said(draft)
    assert open_ in said(draft)
    assert draft.missing


def test_a_coordination_over_two_products_has_a_row_for_each_part_and_names_the_others() -> None:
    text = "Do the Orra Cart and the Orra Van have a folding handle, a seat belt and cup holders?"
    draft = draft_of(question(SHOP, text, "cart", "van"))
    assert draft.attributes == ["Folding handle"]
    assert "Both share: seat belt Yes" in facts_said(draft)
    assert "cup holders" in said(draft)


def test_what_leans_on_the_first_part_is_not_looked_up_alone() -> None:
    draft = draft_of(question(SHOP, "Does it float, and for how long?", "cart"))
    assert cited_in(draft)[1:] == []
    assert "9 kg" not in said(draft)
