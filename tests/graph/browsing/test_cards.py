"""Browsing: products that fit as cited cards, filters honoured exactly; and small talk."""

from dataclasses import replace

import pytest

from graph.browsing.cards import asks_to_browse, browse_draft, products_asked, wish_met
from graph.browsing.facts import CARDS
from graph.draft import Draft, Sentence
from graph.language.locale import reply
from graph.turn import User
from ingestion.evidence import Evidence
from tests.graph.browsing.requests import requested
from tests.graph.fakes import make_context
from tests.graph.shops import PRODUCTS, Shop, camping_shop, make_shop

SHOP = camping_shop()


def browse(text: str, *category: str, named: tuple[str, ...] = (), searchable: bool = True, shop: Shop = SHOP) -> Draft:
    request = requested(text, *named, shop=shop, category=category, searchable=searchable)
    return browse_draft(request, make_context(shop))


def cited(draft: Draft, shop: Shop) -> dict[str, Evidence]:
    return {item.evidence_id: item for item in make_context(shop).knowledge.evidence(draft.sources)}


def cards(draft: Draft) -> list[Sentence]:
    return [sentence for block in draft.blocks if block.kind == "bullets" for sentence in block.sentences]


def shown(text: str, *category: str, named: tuple[str, ...] = (), shop: Shop = SHOP) -> list[str]:
    """The products that are shown as what fits."""
    draft = browse(text, *category, named=named, shop=shop)
    fits = not draft.blocks[0].sentences[0].text.startswith("No product")
    return [card.product_id or "" for card in cards(draft)] if fits else []


def talk(text: str, *, searchable: bool = False) -> str:
    draft = browse(text, searchable=searchable)
    [sentence] = [sentence for block in draft.blocks for sentence in block.sentences]
    assert not sentence.factual
    return sentence.text


def test_a_category_shows_its_products_in_the_shops_order() -> None:
    assert shown("show me tents", "Camping", "Tents") == ["tarn-2", "tarn-3"]


def test_a_limit_on_the_price_is_honoured_exactly() -> None:
    assert shown("tents under $300", "Tents") == ["tarn-2"]
    assert shown("tents over $300", "Tents") == ["tarn-3"]
    assert shown("tents between $249 and $329", "Tents") == ["tarn-2", "tarn-3"]
    assert shown("tents under $100", "Tents") == []


def test_a_limit_alone_is_honoured_over_all_categories() -> None:
    assert shown("show me something under $30") == ["tarn-2-footprint", "moor-socks"]


def test_a_limit_leaves_its_own_figure_out_unless_it_is_said_to_fit() -> None:
    assert shown("tents under $249", "Tents") == []
    assert shown("tents up to $249", "Tents") == ["tarn-2"]


def test_a_maker_is_held_to_as_a_limit_is() -> None:
    other = {"id": "x", "name": "Old Tent", "brand": "Orra", "category": ["Tents"], "price": "$99"}
    shop = make_shop([*PRODUCTS, other])
    assert shown("Orra tents under $300", "Tents", shop=shop) == ["x"]
    assert shown("Orra tents under $50", "Tents", shop=shop) == []


def test_a_product_without_a_price_fits_no_limit() -> None:
    priceless = {"id": "x", "name": "Old Tent", "category": ["Tents"], "attributes": {"Doors": "1"}}
    shop = make_shop([*PRODUCTS, priceless])
    assert shown("tents under $1000", "Tents", shop=shop) == ["tarn-2", "tarn-3"]
    assert shown("tents", "Tents", shop=shop) == ["tarn-2", "tarn-3", "x"]


def test_the_cheapest_comes_first_and_the_dearest_when_wanted() -> None:
    assert browse("the cheapest tents", "Tents").listed == ["tarn-2", "tarn-3"]
    assert browse("the most expensive tents", "Tents").listed == ["tarn-3", "tarn-2"]


def test_words_of_the_wish_choose_among_products() -> None:
    assert shown("merino socks") == ["moor-socks"]
    assert shown("aluminium tents", "Tents") == ["tarn-2"]


def test_a_named_product_shows_itself_or_the_accessory_wished_for() -> None:
    assert shown("show me the Tarn 3", named=("tarn-3",)) == ["tarn-3"]
    assert shown("a footprint for the Tarn 2", named=("tarn-2",)) == ["tarn-2-footprint"]


@pytest.mark.parametrize(
    ("text", "looked_for"),
    [
        ("ours tore. need one under $300", True),
        ("a tent, $300 at most", True),
        ("delivery of tents under $300", False),
        ("warranty on tents under $300", False),
        ("do tents under $300 leak", False),
        ("need a tent", False),
        ("tent with two doors", True),
        ("tent with a warranty", False),
    ],
)
def test_a_message_that_sets_a_kind_and_a_price_looks_for_products(text: str, looked_for: bool) -> None:  # noqa: FBT001 - expected
    found = products_asked(requested(text, shop=SHOP, category=("Camping", "Tents")), make_context(SHOP))
    assert (found is not None and found.listed == ["tarn-2"]) is looked_for


@pytest.mark.parametrize(("intent", "looked_for"), [("product_spec", True), ("payment_options", False)])
def test_a_description_looks_for_products_where_no_rule_is_asked_for(intent: str, looked_for: bool) -> None:  # noqa: FBT001 - expected
    request = requested("tent in three parts", shop=SHOP, category=("Camping", "Tents"))
    assert (products_asked(replace(request, intent=intent), make_context(SHOP)) is not None) is looked_for


def test_each_card_cites_the_line_it_states() -> None:
    draft = browse("show me tents", "Tents")
    for card, product in zip(cards(draft), ("tarn-2", "tarn-3"), strict=True):
        [span] = card.spans
        assert cited(draft, SHOP)[span.evidence_id].text[span.start : span.end].startswith("Price: ")
        assert SHOP.products[product].name in card.text
        assert str(SHOP.products[product].price) in card.text


def test_a_product_without_a_price_shows_another_fact() -> None:
    shop = make_shop([{"id": "x", "name": "Old Tent", "category": ["Tents"], "attributes": {"Doors": "1"}}])
    [card] = cards(browse("tents", "Tents", shop=shop))
    assert card.spans
    assert "$" not in card.text


def test_what_is_shown_can_be_picked_by_its_place() -> None:
    draft = browse("show me tents", "Tents")
    assert draft.listed == ["tarn-2", "tarn-3"]
    assert [one.product_id for one in draft.suggestions] == ["tarn-2", "tarn-3"]
    assert draft.outcome == "non_decision"


def test_a_long_list_is_cut_and_its_length_is_said() -> None:
    rows = [{"id": f"t{n}", "name": f"Tent {n}", "category": ["Tents"], "price": "$9"} for n in range(CARDS + 3)]
    draft = browse("show me tents", "Tents", shop=make_shop(rows))
    assert len(cards(draft)) == CARDS
    assert str(CARDS + 3) in draft.blocks[0].sentences[0].text


def test_that_nothing_fits_a_price_is_said_before_what_comes_nearest_to_it() -> None:
    draft = browse("tents under $100", "Tents")
    assert draft.blocks[0].sentences[0].text == "No product of this shop fits that. Nearest in price:"
    assert draft.listed == ["tarn-2", "tarn-3"]
    assert [card.text for card in cards(draft)] == ["Tarn 2, $249", "Tarn 3, $329"]
    assert browse("tents over $500", "Tents").listed == ["tarn-3", "tarn-2"]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("I am looking for a gift around $30", ["tarn-2-footprint", "moor-socks", "tarn-2", "tarn-3"]),
        ("show me something at about 300 dollars", ["tarn-3", "tarn-2", "tarn-2-footprint", "moor-socks"]),
    ],
)
def test_an_amount_that_is_no_limit_shows_what_comes_nearest_to_it(text: str, listed: list[str]) -> None:
    draft = browse(text)
    assert draft.blocks[0].sentences[0].text == "Nearest in price:"
    assert [key for key in draft.listed if key in listed] == listed


@pytest.mark.parametrize("text", ["do you sell kayaks?", "Have you got any sock drawers?"])
def test_a_kind_that_is_not_sold_is_not_found_whatever_products_have_its_words(text: str) -> None:
    draft = browse(text)
    assert (draft.outcome, draft.listed) == ("no_answer", [])
    assert draft.missing[0] in draft.blocks[0].sentences[0].text


def test_what_states_another_count_is_not_shown() -> None:
    capacities = {"one": "1 person", "two": "2 people", "silent": "many people"}
    tent = {"category": ["Tents"], "price": "$99"}
    shop = make_shop(
        [
            {**tent, "id": key, "name": f"Fell {key}", "attributes": {"Capacity": said}}
            for key, said in capacities.items()
        ]
    )
    assert shown("a two person tent under $100 that is easy to carry", "Tents", shop=shop) == ["two", "silent"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hi", "Hello"),
        ("are you a robot?", "automatic assistant"),
        ("thank you!", "welcome"),
        ("bye", "Goodbye"),
        ("Hi, I have a problem", "What is it about"),
    ],
)
def test_small_talk_gets_a_short_reply_and_no_products(text: str, part: str) -> None:
    assert part in talk(text)


def test_what_the_shop_cannot_know_is_outside() -> None:
    assert "outside" in talk("Who wins the election?", searchable=True)


def test_who_asks_what_is_sold_is_shown_a_product_of_each_department() -> None:
    draft = browse("what do you sell?")
    departments = {one["category"][0] for one in PRODUCTS if one.get("category")}
    assert len(cards(draft)) == min(len(departments), CARDS)


def test_what_the_user_prefers_comes_first_and_nothing_is_left_out() -> None:
    def listed(**preferences: str) -> list[str]:
        request = requested("show me tents", shop=shop, category=["Tents"], user=User(preferences=preferences))
        return [card.product_id or "" for card in cards(browse_draft(request, make_context(shop)))]

    green = {"id": "fern", "name": "Fern", "category": ["Tents"], "attributes": {"Colour": "Leaf green"}}
    roomy = {"id": "hall", "name": "Hall", "category": ["Tents"], "attributes": {"Sleeps": "6"}}
    shop = make_shop([roomy, green])
    assert listed() == ["hall", "fern"]
    assert listed(colour="green") == ["fern", "hall"]
    assert listed(colour="violet", units="metric") == ["hall", "fern"]


COATS = make_shop(
    [
        {
            "id": "loft",
            "name": "Loft Coat",
            "category": ["Coats"],
            "price": "$90",
            "description": "Warm in deep frost.",
        },
        {"id": "rain", "name": "Gale Coat", "category": ["Coats"], "price": "$60", "description": "Keeps rain off."},
    ]
)


def test_a_need_is_met_by_what_a_products_evidence_says_and_the_card_says_it() -> None:
    draft = browse("something warm in frost", shop=COATS)
    [card] = cards(draft)
    assert card.product_id == "loft"
    lead, *_, told = draft.blocks
    assert [one.text for one in lead.sentences] == ["This may suit:"]
    [said] = told.sentences
    assert "Warm in deep frost." in said.text
    assert [cited(draft, COATS)[span.evidence_id].source_type for span in said.spans] == ["description"]


def test_a_wish_in_any_form_is_met_by_what_speaks_for_a_product_and_left_to_others_where_nothing_does() -> None:
    context = make_context(COATS)
    met = wish_met(requested("deep frost", shop=COATS), context)
    assert met is not None
    assert met.listed == ["loft"]
    assert wish_met(requested("deep water diving", shop=COATS), context) is None


def test_a_need_does_not_lift_a_limit() -> None:
    assert shown("something warm in frost under $70", shop=COATS) == []


@pytest.mark.parametrize(
    ("text", "category", "asks"),
    [
        ("show me tents", (), True),
        ("anything under $50", (), True),
        ("coats", ("Coats",), True),
        ("which coats are warm", ("Coats",), True),
        ("do you have coats", ("Coats",), True),
        ("do the coats come with a hood", ("Coats",), False),
        ("thanks!", (), True),
        ("the folding one yeah", (), False),
    ],
)
def test_what_asks_for_products_or_is_small_talk_is_browsed(
    text: str, category: tuple[str, ...], *, asks: bool
) -> None:
    assert asks_to_browse(requested(text, shop=SHOP, category=category)) == asks


def test_of_a_need_that_nothing_meets_it_is_not_said_that_the_kind_fits() -> None:
    draft = browse("a tent with a chimney for my stove", "Camping", "Tents")
    assert draft.blocks[0].sentences[0].text == reply("cannot_rank", many=True)
    assert draft.listed == ["tarn-2", "tarn-3"]


def test_of_one_product_it_is_not_said_which_fits_best() -> None:
    shop = make_shop([{"id": "glow", "name": "Glow", "category": ["Balms"], "description": "A balm."}])
    draft = browse("a balm with a chimney for my stove", "Balms", shop=shop)
    assert draft.blocks[0].sentences[0].text == reply("cannot_rank")


def test_a_product_that_has_a_part_of_the_words_is_no_answer_to_another_kind() -> None:
    draft = browse("do you guys sell aluminium bicycles")
    assert cards(draft) == []
    assert shown("aluminium poles") == ["tarn-2"]


def test_what_an_attribute_rules_out_for_a_need_is_told_and_does_not_fit() -> None:
    told = [{"id": "glow", "name": "Glow", "category": ["Balms"], "attributes": {"Use in pregnancy": "Do not use"}}]
    shop = make_shop(told)
    draft = browse("something to use in pregnancy", shop=shop)
    [card] = cards(draft)
    assert card.text == "Glow: “Use in pregnancy: Do not use”"
    assert [cited(draft, shop)[span.evidence_id].source_type for span in card.spans] == ["spec"]
    assert not any(" fit" in sentence.text for block in draft.blocks for sentence in block.sentences)
