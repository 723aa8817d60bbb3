"""Missing slots: the region, kind or variant an answer depends on is asked for, in one question that can be clicked."""

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


TARN_3: Row = {**TARN_2, "id": "tarn-3", "name": "Tarn 3", "category": ["Camping", "Family tents"]}


def of_both(text: str, *facts: Row, intents: Sequence[str], products: Sequence[Row] = (TARN_2, TARN_3)) -> Draft:
    """The answer to a question about two products."""
    shop = make_shop(products, facts=facts, regions=REGIONS)
    return draft_of(replace(question(shop, text, "tarn-2", "tarn-3", intents=intents), regions=REGIONS))


def test_a_rule_by_region_is_asked_for_once_for_several_products() -> None:
    draft = of_both("How long does delivery of the Tarn 2 and the Tarn 3 take?", US, EU, intents=["delivery_sla"])
    assert (draft.outcome, draft.pending_kind) == ("ambiguous", "region")
    assert draft.clarification is not None
    assert sorted(draft.clarification.options) == ["EU", "US"]
    assert facts_said(draft) == ""


def test_rules_of_some_regions_for_the_other_product_wait_for_the_place_too() -> None:
    own: Row = {"source_type": "delivery", "product_id": "tarn-3"}
    wherever: Row = {**own, "id": "o", "text": "Delivery of the Tarn 3 takes 2 days."}
    draft = of_both(
        "How long does delivery of the Tarn 2 and the Tarn 3 take?", US, EU, wherever, intents=["delivery_sla"]
    )
    assert draft.outcome == "ambiguous"
    assert not {"delivery:us", "delivery:eu"} & set(cited_in(draft))


def test_a_rule_that_holds_everywhere_answers_for_several_products() -> None:
    draft = of_both("Can I return the opened Tarn 2 and the Tarn 3?", RETURNS, intents=["return_policy"])
    assert draft.outcome == "clear"
    assert cited_in(draft) == ["return_policy:r"]


def test_the_price_of_one_of_several_waits_for_its_variant_and_the_others_is_told() -> None:
    rows = [{"id": name, "attributes": {"Size": name}, "price": price} for name, price in (("S", "$20"), ("L", "$30"))]
    products = (TARN_2, {**TARN_3, "price": None, "variants": rows})
    text = "How much are the Tarn 2 and the Tarn 3?"
    draft = of_both(text, intents=["offers_and_discounts"], products=products)
    assert draft.outcome == "ambiguous"
    assert draft.clarification is not None
    assert draft.clarification.question == "Which size of the Tarn 3 would you like?"
    assert draft.clarification.options == ["size S", "size L"]
    assert "$249" in facts_said(draft)


def test_stock_of_several_is_told_of_each_before_a_variant_is_asked_for() -> None:
    other = {**variants(*MIXED), "id": "tarn-3", "name": "Tarn 3"}
    facts = [
        {"id": f"s{key}{n}", "source_type": "stock", "product_id": key, "text": f"{name} in {colour}: {state}."}
        for key, name in (("tarn-2", "Tarn 2"), ("tarn-3", "Tarn 3"))
        for n, (colour, state) in enumerate((("Moss", "in stock"), ("Sand", "out of stock")))
    ]
    draft = of_both(
        "Are the Tarn 2 and the Tarn 3 in stock?", *facts, intents=["stock_availability"], products=(TARN_2, other)
    )
    assert draft.outcome == "ambiguous"
    assert draft.clarification is not None
    assert "of the Tarn 2" in draft.clarification.question
    assert {"Tarn 2", "Tarn 3"} <= {name for name in ("Tarn 2", "Tarn 3") if name in facts_said(draft)}


def guarantee(*facts: Row, text: str = "How long is the warranty?") -> Draft:
    """The answer to a question about warranties in a shop with these rules."""
    return draft_of(question(make_shop([], facts=facts), text, intents=["warranty"]))


TENTS: Row = {"id": "t", "source_type": "warranty", "category": "Tents", "text": "Tents have a 3-year warranty."}
STOVES: Row = {"id": "s", "source_type": "warranty", "category": "Stoves", "text": "Stoves have a 2-year warranty."}


def test_rules_for_several_kinds_of_products_and_none_named_ask_which() -> None:
    draft = guarantee(TENTS, STOVES)
    assert (draft.outcome, draft.pending_kind) == ("ambiguous", "slot")
    assert draft.clarification is not None
    assert sorted(draft.clarification.options) == ["Stoves", "Tents"]
    assert said(draft) == draft.clarification.question == "Which kind of product do you mean?"


def test_no_kind_is_asked_for_where_one_alone_has_a_rule() -> None:
    assert cited_in(guarantee(TENTS)) == ["warranty:t"]


def test_nor_where_the_rule_told_is_the_whole_shops() -> None:
    shop: Row = {"id": "all", "source_type": "warranty", "text": "The warranty is one year on everything we sell."}
    assert guarantee(shop, TENTS, STOVES).outcome == "clear"


def test_nor_is_it_asked_again_where_it_is_named() -> None:
    assert guarantee(TENTS, STOVES, text="How long is the warranty for Stoves?").outcome == "clear"


def test_a_rule_for_all_places_leaves_open_which_place_the_others_are_for() -> None:
    assert delivery(US, EU, ALL).pending_kind == "region"
