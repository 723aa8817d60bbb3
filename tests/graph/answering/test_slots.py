"""Missing slots: a region or a variant that the answer depends on is asked for, in one question that can be clicked."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from graph.draft import Draft
from graph.turn import User
from tests.graph.answering.asking import cited_in, draft_of, facts_said, question, said
from tests.graph.shops import TARN_2, Row, make_shop

US: Row = {
    "id": "us",
    "source_type": "delivery",
    "region": "US",
    "text": "Delivery in the US takes 3 days and is free.",
}
EU: Row = {"id": "eu", "source_type": "delivery", "region": "EU", "text": "Delivery in the EU takes 5 days, for $9."}
AK: Row = {
    "id": "ak",
    "source_type": "delivery",
    "region": "US-AK",
    "text": "Delivery to Alaska takes 9 days, for $14.",
}
ALL: Row = {"id": "all", "source_type": "delivery", "text": "Delivery takes 4 days wherever you live."}
RETURNS: Row = {"id": "r", "source_type": "return_policy", "text": "Opened items can be returned within 30 days."}
REGIONS = {"US": ["Texas", "9"], "US-AK": ["Alaska"], "EU": ["Germany", "France"]}
HOW_LONG = "How long does delivery take?"


def delivery(
    *facts: Row,
    text: str = HOW_LONG,
    user: User | None = None,
    places: tuple[str, ...] = (),
    intents: Sequence[str] = ("delivery_sla",),
) -> Draft:
    """The answer to a question about delivery in a shop with these rules."""
    shop = make_shop([], facts=facts, regions=REGIONS)
    return draft_of(replace(question(shop, text, intents=intents, user=user), places=places, regions=REGIONS))


def test_rules_for_several_regions_and_no_region_known_ask_which() -> None:
    draft = delivery(US, EU)
    assert (draft.outcome, draft.pending_kind) == ("ambiguous", "region")
    assert draft.clarification is not None
    assert sorted(draft.clarification.options) == ["EU", "US"]
    assert said(draft) == draft.clarification.question == "Which region should it be delivered to?"


def test_every_option_means_its_region() -> None:
    draft = delivery(US, EU)
    assert draft.clarification is not None
    assert [draft.options[label] for label in draft.clarification.options] == draft.clarification.options


def test_a_region_named_like_a_code_is_offered_with_what_belongs_to_it() -> None:
    draft = delivery(EU, AK)
    assert draft.clarification is not None
    assert "US-AK (Alaska)" in draft.clarification.options
    assert draft.options["US-AK (Alaska)"] == "US-AK"


def test_a_reply_may_name_what_belongs_to_a_region_but_no_postal_prefix_is_an_option() -> None:
    assert delivery(US, EU).options["Germany"] == "Germany"
    assert "9" not in delivery(US, EU).options


@pytest.mark.parametrize(("user", "places"), [(User(region="EU"), ()), (None, ("EU",))])
def test_a_known_region_is_not_asked_for(user: User | None, places: tuple[str, ...]) -> None:
    draft = delivery(
        EU, user=user, places=places, text="How long does delivery in the EU take?" if places else HOW_LONG
    )
    assert draft.outcome == "clear"
    assert cited_in(draft) == ["delivery:eu"]


def test_a_general_rule_that_answers_is_told() -> None:
    draft = delivery(ALL, {**US, "text": "Delivery in the US is by courier."})
    assert draft.outcome == "clear"
    assert cited_in(draft)[0] == "delivery:all"


def test_a_rule_of_one_region_alone_is_told() -> None:
    assert delivery(US, RETURNS).outcome == "clear"


def test_a_rule_on_another_matter_of_another_region_makes_no_tie() -> None:
    slow = {**US, "text": "Snail Mail takes 12 days in the US."}
    assert delivery(slow, EU, text="How long does Snail Mail take?").outcome == "clear"


def test_what_depends_on_no_region_is_answered_beside_the_question() -> None:
    draft = delivery(
        US, EU, RETURNS, text="Can I return opened items and how long does delivery take?",
        intents=["delivery_sla", "return_policy"],
    )  # fmt: skip
    assert draft.outcome == "ambiguous"
    assert cited_in(draft) == ["return_policy:r"]
    assert said(draft).endswith("?")


def test_a_place_of_a_region_counts_as_named_though_no_rule_names_it() -> None:
    draft = delivery(EU, text="How long does delivery take for Germany?", places=("Germany",))
    assert draft.outcome == "clear"
    assert "5 days" in facts_said(draft)


def test_a_place_of_no_region_stays_what_is_missing() -> None:
    draft = delivery(EU, text="How long does delivery to Norway take?")
    assert draft.outcome == "no_answer"
    assert "Norway" in said(draft)


def variants(*states: tuple[str, str, bool]) -> Row:
    """A tent in variants: colour, size and whether it is in stock."""
    rows = [
        {"id": f"v{n}", "attributes": {"Colour": colour, "Size": size}, "in_stock": stock}
        for n, (colour, size, stock) in enumerate(states)
    ]
    return {**TARN_2, "variants": rows}


MIXED = (("Moss", "S", True), ("Moss", "L", False), ("Sand", "S", True))


def stock(product: Row, text: str = "Is the Tarn 2 in stock?", user: User | None = None) -> Draft:
    """The answer to a question about the stock of one product."""
    base = {"source_type": "stock", "product_id": "tarn-2"}
    variants = enumerate(product["variants"])
    facts = [{**base, "id": f"s{n}", "text": _state(one["attributes"], one["in_stock"])} for n, one in variants]
    shop = make_shop([product], facts=facts)
    return draft_of(question(shop, text, "tarn-2", intents=["stock_availability"], user=user))


def _state(attributes: dict[str, str], in_stock: bool) -> str:  # noqa: FBT001 - a variant's own field
    return f"Tarn 2 in {attributes['Colour']}, {attributes['Size']}: {'in stock' if in_stock else 'out of stock'}."


def test_stock_that_differs_by_variant_is_told_and_asks_which() -> None:
    draft = stock(variants(*MIXED))
    assert (draft.outcome, draft.pending_kind) == ("ambiguous", "slot")
    assert facts_said(draft)
    assert draft.clarification is not None
    assert draft.clarification.options == ["Moss, size S", "Moss, size L", "Sand, size S"]


def test_variants_that_are_all_in_stock_need_no_choice() -> None:
    assert stock(variants(("Moss", "S", True), ("Moss", "L", True))).outcome == "clear"


@pytest.mark.parametrize("text", ["Is the Tarn 2 in stock in Sand?", "Is the Tarn 2 in stock in Moss in size L?"])
def test_a_variant_that_is_named_is_not_asked_for(text: str) -> None:
    assert stock(variants(*MIXED), text).outcome == "clear"


def test_a_value_that_is_named_leaves_only_the_others_to_choose() -> None:
    draft = stock(variants(*MIXED), "Is the Tarn 2 in stock in Moss?")
    assert draft.clarification is not None
    assert draft.clarification.question == "Which size would you like?"
    assert draft.clarification.options == ["size S", "size L"]


def test_what_the_user_prefers_is_not_asked_for() -> None:
    user = User(preferences={"colour": "Moss", "size": "L"})
    assert stock(variants(*MIXED), user=user).outcome == "clear"


def test_many_variants_are_asked_for_attribute_by_attribute() -> None:
    many = [(colour, size, size != "L") for colour in ("Moss", "Sand") for size in ("S", "M", "L", "XL")]
    draft = stock(variants(*many))
    assert draft.clarification is not None
    assert draft.clarification.question == "Which colour would you like?"
    assert draft.clarification.options == ["Moss", "Sand"]


def test_a_price_that_only_variants_have_asks_which() -> None:
    rows = [{"id": name, "attributes": {"Size": name}, "price": price} for name, price in (("S", "$20"), ("L", "$30"))]
    shop = make_shop([{**TARN_2, "price": None, "variants": rows}])
    draft = draft_of(question(shop, "How much is the Tarn 2?", "tarn-2", intents=["offers_and_discounts"]))
    assert draft.outcome == "ambiguous"
    assert draft.clarification is not None
    assert draft.clarification.options == ["size S", "size L"]


def test_a_list_price_is_told_though_variants_cost_more() -> None:
    shop = make_shop([TARN_2])
    draft = draft_of(question(shop, "How much is the Tarn 2?", "tarn-2", intents=["offers_and_discounts"]))
    assert draft.outcome == "clear"
    assert "$249" in facts_said(draft)
