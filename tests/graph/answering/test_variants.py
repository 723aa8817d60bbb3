"""Variants: which forms there are, what each costs and whether it is in stock."""

from dataclasses import replace

import pytest

from graph.draft import Draft
from graph.turn import User
from tests.graph.answering.asking import cited_in, draft_of, facts_said, question, said
from tests.graph.shops import TARN_2, camping_shop, make_shop

SHOES = {
    "id": "fell-shoes",
    "name": "Fell Shoes",
    "category": ["Shoes"],
    "attributes": {"Upper": "Knit"},
    "variants": [
        {"id": "42s", "attributes": {"Size": "42", "Colour": "Slate"}, "price": "$119", "in_stock": True},
        {"id": "43s", "attributes": {"Size": "43", "Colour": "Slate"}, "price": "$119", "in_stock": False},
        {"id": "43m", "attributes": {"Size": "43", "Colour": "Moss"}, "price": "$129", "in_stock": True},
    ],
}
BOOTS = {
    "id": "beck-boots",
    "name": "Beck Boots",
    "category": ["Shoes"],
    "attributes": {"Upper": "Leather"},
    "variants": [
        {"id": "9r", "attributes": {"Size": "US 9", "Colour": "Rowan Red"}, "price": "$189", "in_stock": True},
        {"id": "10r", "attributes": {"Size": "US 10", "Colour": "Rowan Red"}, "price": "$199", "in_stock": False},
        {"id": "10b", "attributes": {"Size": "US 10", "Colour": "Bog Brown"}, "price": "$209", "in_stock": True},
    ],
}
WAX = {
    "id": "wax",
    "name": "Dubbin",
    "category": ["Care"],
    "attributes": {"Base": "Beeswax"},
    "variants": [
        {"id": "s", "attributes": {"Tin": "1 kg"}, "price": "$30"},
        {"id": "l", "attributes": {"Tin": "250 g"}, "price": "$9"},
    ],
}
TENTH = BOOTS | {"id": "beck-10", "name": "Beck 10"}
SHOP = make_shop([TARN_2, SHOES, BOOTS, TENTH, WAX])


def ask(text: str, *intents: str, product: str = "tarn-2") -> Draft:
    return draft_of(question(SHOP, text, product, intents=intents or ("variant",)))


def test_all_choices_are_listed_once_in_the_shops_order() -> None:
    answer = said(ask("Which colours does the Tarn 2 come in?"))
    assert answer.index("Moss") < answer.index("Sand")
    shoes = said(ask("Which sizes do the Fell Shoes come in?", product="fell-shoes"))
    assert shoes.count("43") == 1
    assert "Slate" not in shoes


def test_every_attribute_is_listed_when_none_is_named() -> None:
    answer = said(ask("Which variants of the Fell Shoes are there?", product="fell-shoes"))
    assert all(value in answer for value in ("42", "43", "Slate", "Moss"))


def test_one_that_is_not_listed_is_said_to_be_missing() -> None:
    draft = ask("Does the Tarn 2 come in red?")
    assert "Moss" in facts_said(draft)
    assert "red" not in facts_said(draft).lower()
    assert "Red" in said(draft)
    assert "Yes." not in said(draft)


def test_what_the_product_is_is_no_missing_one() -> None:
    assert "not among" not in said(ask("Could you still send me a tent, the Tarn 2, in which colours?"))


def test_one_that_is_listed_is_confirmed() -> None:
    answer = said(ask("Does the Tarn 2 come in sand?"))
    assert answer.startswith("Yes.")
    assert "Sand" in answer
    assert "Moss" not in answer


def test_one_that_is_told_beside_another_question_is_not_confirmed() -> None:
    assert "Yes." not in said(ask("Could I wire you the money? It is for the Tarn 2 in moss."))


@pytest.mark.parametrize(
    ("colour", "verdict", "stock"), [("moss", "Yes.", "in stock"), ("sand", "No.", "out of stock")]
)
def test_the_stock_is_that_of_the_variant_asked_for(colour: str, verdict: str, stock: str) -> None:
    answer = said(ask(f"Is the Tarn 2 in {colour} in stock?", "stock_availability"))
    assert answer.startswith(verdict)
    assert stock in answer


def test_the_price_is_that_of_the_variant_asked_for() -> None:
    answer = said(ask("How much is the Tarn 2 in sand?", "offers_and_discounts"))
    assert "$259" in answer
    assert "$249" not in answer


def test_the_line_of_the_variant_is_cited() -> None:
    draft = ask("How much is the Tarn 2 in sand?", "offers_and_discounts")
    [span] = [span for block in draft.blocks for sentence in block.sentences for span in sentence.spans]
    assert SHOP.evidence([span.evidence_id])[0].text[span.start : span.end].startswith("Sand")


def test_two_values_name_one_variant() -> None:
    answer = said(ask("Are the Fell Shoes in size 43 slate in stock?", "stock_availability", product="fell-shoes"))
    assert "out of stock" in answer
    assert "Moss" not in answer


def test_a_bare_number_is_no_size() -> None:
    assert "size" not in said(ask("Do the Fell Shoes have 42 lugs?", product="fell-shoes")).lower()
    assert not said(ask("Do the Fell Shoes have 42 lugs?", product="fell-shoes")).startswith("Yes.")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("How much are the Beck Boots, red, in a 9?", "$189"),
        ("What do the Beck Boots cost in red, size ten?", "$199"),
        ("What do the Beck Boots cost in brown?", "$209"),
    ],
)
def test_a_value_is_named_by_the_word_that_tells_it_from_the_rest(asked: str, told: str) -> None:
    answer = said(ask(asked, "offers_and_discounts", product="beck-boots"))
    assert told in answer
    assert answer.count("$") == 1


def test_a_figure_of_the_products_name_is_no_size() -> None:
    assert "$189" in said(ask("How much is the 10?", "offers_and_discounts", product="beck-10"))


def test_a_unit_names_no_amount() -> None:
    answer = said(
        ask("How many kg of the Dubbin do I get, and what does it cost?", "offers_and_discounts", product="wax")
    )
    assert "250 g costs $9" in answer


def test_the_shops_own_words_on_the_stock_come_first() -> None:
    facts = [
        {"id": "s", "source_type": "stock", "product_id": "tarn-2", "text": "The Tarn 2 in Moss: 4 left in stock."}
    ]
    shop = make_shop([TARN_2], facts=facts)
    draft = draft_of(question(shop, "Is the Tarn 2 in moss in stock?", "tarn-2", intents=["stock_availability"]))
    assert cited_in(draft) == ["stock:s"]
    assert "4 left" in said(draft)


def test_a_product_without_variants_has_none_to_list() -> None:
    draft = draft_of(question(camping_shop(), "Which colours does the Tarn 3 come in?", "tarn-3", intents=["variant"]))
    assert "Moss" not in said(draft)
    assert draft.outcome == "no_answer"


def test_what_the_user_prefers_chooses_where_the_question_does_not() -> None:
    def answer(text: str, **preferences: str) -> str:
        asked = question(SHOP, text, "fell-shoes", intents=("stock_availability",))
        return said(draft_of(replace(asked, user=User(preferences=preferences))))

    preferred = answer("Are the Fell Shoes in stock?", size="42", colour="slate", fit="wide")
    assert "42, Slate" in preferred
    assert "43" not in preferred
    assert "43, Moss" in answer("Are the Fell Shoes in Moss in stock?", colour="slate")
    assert "42" not in answer("Which colours do the Fell Shoes come in?", size="42")


def test_a_question_after_another_is_about_the_variant_that_was_named() -> None:
    answer = said(
        ask("Do you have the Tarn 2 in sand and what does it cost?", "stock_availability", "offers_and_discounts")
    )
    assert "out of stock" in answer
    assert "Moss" not in answer


def test_what_another_question_asks_for_is_not_told_here() -> None:
    answer = said(ask("Is the Tarn 2 going on a trip? And do you have sand?", "how_to", "stock_availability"))
    assert answer.count("out of stock") == 1
