"""Products of a kind that have what is asked for; what states nothing of it is not said to lack it."""

import pytest

from graph.browsing.ranking import having
from graph.draft import Draft
from graph.verification import SentenceVerifier
from graph.verification.admission import admit_sentences
from tests.graph.answering.asking import facts_said, said
from tests.graph.browsing.requests import requested
from tests.graph.fakes import SharedWords, intent_of, make_context
from tests.graph.shops import Row, Shop, make_shop


def bag(key: str, name: str, price: float, *features: str, **attributes: str) -> Row:
    row: Row = {"id": key, "name": name, "brand": "Orra", "category": ["Luggage", "Bags"], "features": list(features)}
    row["price"] = {"amount": price, "currency": "USD"}
    row["attributes"] = {title.replace("_", " ").capitalize(): value for title, value in attributes.items()}
    return row


MERE = bag("mere", "Mere", 80, "Two zips that lock", waterproof="Yes", weight="900 g", wheels="2", volume="30 L")
FELL = bag("fell", "Fell", 120, waterproof="No", weight="2.1 kg", wheels="4", volume="40 L or 55 L")
TARN = bag("tarn", "Tarn", 60, "No zips at all", weight="1,500 g", wheels="2", lining="Waterproof cotton")
BECK = bag("beck", "Beck", 150, weight="about 1.2 kg", sim_5g="Yes")
LAMP = {"id": "lamp", "name": "Vesper", "category": ["Home", "Lamps"], "attributes": {"Waterproof": "Yes"}}
SHOP = make_shop([MERE, FELL, TARN, BECK, LAMP])


def found(
    text: str, *named: str, searching: bool = False, shop: Shop = SHOP, intent: str = "product_spec"
) -> Draft | None:
    request = requested(text, *named, shop=shop, intent=intent_of(intent))
    return having(request, make_context(shop), searching=searching)


def browsed(text: str, *, searching: bool = False, shop: Shop = SHOP) -> Draft:
    draft = found(text, searching=searching, shop=shop)
    assert draft is not None
    return draft


def listed(text: str, *, searching: bool = False) -> list[str]:
    return sorted(browsed(text, searching=searching).listed)


@pytest.mark.parametrize(
    ("text", "fitting"),
    [
        ("Which bags have two wheels?", ["mere", "tarn"]),
        ("which bags have 4 wheels", ["fell"]),
        ("Which bag has two zips?", ["mere"]),
        ("Which bags weigh less than 1.3 kg?", ["beck", "mere"]),
        ("which bags weigh under 3 lb", ["beck", "mere"]),
        ("Which bags weigh more than 2,000 g?", ["fell"]),
        ("Which bags weigh 1.5 kg or less?", ["beck", "mere", "tarn"]),
        ("which bags have a volume of at least 50 L", ["fell"]),
        ("Which bags have a volume up to 30 L?", ["mere"]),
        ("Which bags are waterproof and weigh under 1 kg?", ["mere"]),
        ("Which bags have two wheels and weigh over 1 kg?", ["tarn"]),
        ("Do you have any bags with four wheels?", ["fell"]),
        ("Which bags aren't waterproof?", ["fell"]),
    ],
)
def test_those_whose_stated_attribute_meets_it_are_listed(text: str, fitting: list[str]) -> None:
    assert listed(text) == fitting


@pytest.mark.parametrize("text", ["bags under 1 kg", "show me bags with two wheels and a waterproof body"])
def test_a_search_lists_them_too_but_is_no_question_elsewhere(text: str) -> None:
    assert found(text) is None


def test_a_search_is_held_to_what_it_names() -> None:
    assert listed("bags under 1 kg", searching=True) == ["mere"]
    assert listed("show me bags with four wheels", searching=True) == ["fell"]
    assert listed("bags under $100 with two wheels", searching=True) == ["mere", "tarn"]


@pytest.mark.parametrize(
    ("text", "fitting"),
    [
        ("bags under $100 that weigh less than 1 kg", ["mere"]),
        ("bags that weigh between 1 and 2 kg", ["beck", "tarn"]),
        ("bags of 1.2 kg or less", ["beck", "mere"]),
        ("the lightest waterproof bag", ["mere", "tarn"]),
    ],
)
def test_a_search_holds_to_all_that_it_says_at_once(text: str, fitting: list[str]) -> None:
    assert listed(text, searching=True) == fitting


def test_a_measured_figure_is_met_by_whichever_attribute_states_it() -> None:
    rows = [
        bag("large", "Duo", 90, pocket="8 l", volume="30 l or 60 l"),
        bag("small", "Trio", 90, pocket="8 l", volume="20 l"),
    ]
    shop = make_shop(rows)
    assert browsed("a bag with 60l", searching=True, shop=shop).listed == ["large"]
    assert browsed("a bag with 60 l volume", searching=True, shop=shop).listed == ["large"]


def test_of_the_only_one_of_a_kind_it_is_not_said_that_none_of_several_does() -> None:
    only = make_shop([bag("two", "Duo", 90, sleeps="2 people", weight="1.9 kg")])
    assert said(browsed("a bag for 3 people under 2 kg", searching=True, shop=only)).startswith("The only one of the")


def test_how_many_are_wanted_is_told_apart_from_a_bound_behind_it() -> None:
    rows = [
        bag("two", "Duo", 90, sleeps="2 people", weight="1.9 kg"),
        bag("three", "Trio", 90, sleeps="3 people", weight="2.6 kg"),
    ]
    none = browsed("a bag for 3 people under 2 kg", searching=True, shop=make_shop(rows))
    assert said(none).startswith("None of the shop's 2 bags states that.")
    assert browsed("a bag for 2 people under 2 kg", searching=True, shop=make_shop(rows)).listed == ["two"]


@pytest.mark.parametrize("text", ["Which bags are without plastic?", "Which bags are plastic-free?"])
def test_what_is_named_for_lacking_something_lacks_it(text: str) -> None:
    row = bag("free", "Bare", 90)
    row["attributes"] = {"Plastic-free": "Yes"}
    other = bag("full", "Shell", 90)
    other["attributes"] = {"Plastic-free": "No"}
    assert browsed(text, shop=make_shop([row, other])).listed == ["free"]


def test_each_is_cited_and_borne_out_by_what_it_cites() -> None:
    draft = browsed("Which bags have two wheels and weigh under 1 kg?")
    evidence = {item.evidence_id: item for item in make_context(SHOP).knowledge.evidence(draft.sources)}
    admitted, dropped = admit_sentences(draft, evidence, SHOP.products, SentenceVerifier(SharedWords()))
    assert dropped == []
    assert "weighs 900 g" in facts_said(admitted)
    assert admitted.outcome == "non_decision"


def test_what_denies_it_is_left_out_and_what_states_nothing_is_not_said_to_lack_it() -> None:
    draft = browsed("Which bags are waterproof?")
    assert draft.listed == ["mere", "tarn"]
    assert "Fell" not in said(draft)
    assert "does not say whether the same holds for the Beck" in said(draft)


def test_where_none_fits_the_nearest_is_told() -> None:
    draft = browsed("Which bags weigh less than 500 g?")
    assert said(draft).startswith("None of the shop's 4 bags states that. The nearest:")
    assert facts_said(draft) == "The Mere weighs 900 g."


def test_what_nobody_states_is_neither_had_nor_lacked() -> None:
    draft = browsed("Which bags are inflatable?")
    assert said(draft).startswith("The shop's information does not say that of any of its 4 bags.")
    assert facts_said(draft) == ""


@pytest.mark.parametrize(
    "text",
    [
        "What bags do you have?",
        "Which bags can I send back?",
        "Which bag is the lightest?",
        "What is the weight of the bags?",
        "Which size do I need?",
        "Is the bag waterproof?",
        "Which bags are cheap or waterproof?",
    ],
)
def test_other_questions_are_left_to_others(text: str) -> None:
    assert found(text, intent="return_policy") is None


def test_a_product_that_is_named_is_no_search() -> None:
    assert found("Which bags are like the Mere and waterproof?", "mere") is None


def test_a_thing_named_with_a_figure_is_not_counted() -> None:
    draft = browsed("Which bags have 5G sim?")
    assert draft.listed == ["beck"]


def test_what_only_has_to_do_with_it_is_no_yes_but_comes_nearest() -> None:
    coat = {"id": "coat", "name": "Ryde", "category": ["Wear", "Coats"], "attributes": {"Hydrostatic head": "9,000 mm"}}
    cape = {"id": "cape", "name": "Cowes", "category": ["Wear", "Coats"], "attributes": {"Waterproof": "No"}}
    draft = browsed("Which coats are waterproof?", shop=make_shop([coat, cape]))
    assert draft.listed == ["coat"]
    assert said(draft).startswith("None of the shop's 2 coats states that.")
    assert "9,000 mm" in facts_said(draft)
