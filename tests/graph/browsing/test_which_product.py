"""Asking back which product of a kind is meant, with options and with what each states."""

import pytest

from graph.answering.candidate import cited, paragraph, remark, span
from graph.browsing.which_product import which_of_kind
from graph.draft import Draft
from graph.turn import Clarification
from tests.graph.browsing.requests import requested
from tests.graph.fakes import intent_of, make_context
from tests.graph.shops import SOCKS, TARN_2, Shop, camping_shop, make_shop

SHOP = camping_shop()
NOTHING = Draft(outcome="no_answer", blocks=[paragraph(remark("I couldn't find that."))], confidence=0.3)
NAMELESS = Draft(
    outcome="ambiguous",
    blocks=[paragraph(remark("Which product do you mean?"))],
    confidence=0.4,
    clarification=Clarification(question="Which product do you mean?", options=[]),
)


def asked(
    text: str, *category: str, draft: Draft = NAMELESS, intent: str = "product_spec", shop: Shop = SHOP, named: str = ""
) -> Draft | None:
    request = requested(text, *filter(None, [named]), shop=shop, category=category, intent=intent_of(intent))
    return which_of_kind(draft, request, make_context(shop))


def options(text: str, *category: str, draft: Draft = NAMELESS, shop: Shop = SHOP) -> list[str]:
    found = asked(text, *category, draft=draft, shop=shop)
    assert found is not None
    assert found.clarification is not None
    assert found.outcome == "ambiguous"
    assert found.pending_kind == "product"
    assert list(found.options) == found.clarification.options
    return found.clarification.options


def cards(text: str, *category: str) -> list[str]:
    found = asked(text, *category)
    assert found is not None
    return [one.text for one in found.facts]


def test_a_question_without_options_gets_those_of_the_category() -> None:
    assert options("tent poles", "Camping", "Tents") == ["Tarn 2", "Tarn 3"]


def test_what_is_asked_is_told_of_each() -> None:
    assert cards("tent price", "Camping", "Tents") == ["Tarn 2, $249", "Tarn 3, $329"]
    assert cards("are the tents' poles steel or aluminium", "Camping", "Tents") == ["Tarn 2, poles: Aluminium"]
    assert cards("how heavy are tents", "Camping", "Tents") == ["Tarn 2, weight: 1.9 kg", "Tarn 3, weight: 2.6 kg"]


def test_a_kind_is_known_by_the_head_of_names_too() -> None:
    shop = make_shop([TARN_2, SOCKS])
    assert options("does the sock itch", shop=shop) == ["Moor Socks"]


def test_a_kind_that_is_pointed_at_is_none_of_them_yet() -> None:
    assert options("is this tent warm", "Camping", "Tents") == ["Tarn 2", "Tarn 3"]


@pytest.mark.parametrize("text", ["does it come with a tent", "does it come in a sock"])
def test_what_stands_for_a_product_names_no_kind(text: str) -> None:
    assert asked(text, "Camping", "Tents") is None


def test_what_one_random_product_says_is_no_answer_for_its_kind() -> None:
    item = SHOP.evidence(["spec:tarn-2"])[0]
    said = cited("The poles of the Tarn 2 are aluminium.", span(item, 0, 9), product_id="tarn-2")
    draft = Draft(outcome="clear", blocks=[paragraph(said)], confidence=0.8)
    assert options("tent poles", "Camping", "Tents", draft=draft) == ["Tarn 2", "Tarn 3"]


def test_a_rule_for_all_stands_and_so_does_a_gap_in_what_is_asked_of_all() -> None:
    item = SHOP.evidence(["return_policy:tents"])[0]
    rule = Draft(outcome="clear", blocks=[paragraph(cited("Tents can be returned.", span(item, 0, 9)))], confidence=0.8)
    assert asked("tent return", "Camping", "Tents", draft=rule, intent="return_policy") is None
    assert asked("are tents fire retardant", "Camping", "Tents", draft=NOTHING) is None


def test_what_is_read_to_answer_of_one_of_the_kind_is_told_before_an_unlikely_answer() -> None:
    item = SHOP.evidence(["return_policy:tents"])[0]
    rule = Draft(outcome="clear", blocks=[paragraph(cited("Tents can be returned.", span(item, 0, 9)))], confidence=0.8)
    unlikely = rule.model_copy(update={"confidence": 0.2})
    text = "do the tents have two doors with a porch"
    for draft in (NOTHING, unlikely):
        found = asked(text, "Camping", "Tents", draft=draft, intent="return_policy")
        assert found is not None
        [told] = found.facts
        assert told.text == "Tarn 2: The seller lists: “Two doors with a porch each”."
    assert asked(text, "Camping", "Tents", draft=rule, intent="return_policy") is None


def test_nothing_that_is_merely_read_is_told_where_a_sensitive_claim_is_asked_for() -> None:
    kettle = {"id": "k", "name": "Ling K1", "category": ["Kettles"], "features": ["Plastic with no BPA in it"]}
    shop = make_shop([kettle, kettle | {"id": "j", "name": "Ling J2"}])
    asking = "do the kettles have plastic with no BPA and are safe for babies"
    found = asked(asking, "Kettles", shop=shop)
    assert found is not None
    assert found.facts == []


def test_a_product_that_is_named_needs_no_question() -> None:
    assert asked("tent poles of the Tarn 2", "Camping", "Tents", named="tarn-2") is None


def test_a_superlative_that_nothing_settles_shows_the_products() -> None:
    found = asked("which tent is the quietest", "Camping", "Tents")
    assert found is not None
    assert found.outcome == "non_decision"
    assert "which of these fits that best" in found.blocks[0].sentences[0].text
    assert found.listed == ["tarn-2", "tarn-3"]


def test_a_department_is_no_kind_of_which_one_is_meant() -> None:
    assert options("what is light in camping", "Camping", shop=make_shop([TARN_2])) == ["Tarn 2"]
    other = {"id": "s", "name": "Ling Stove", "category": ["Camping", "Stoves"]}
    assert asked("what is light in camping", "Camping", shop=make_shop([TARN_2, other])) is None


STORMS = make_shop(
    [
        {"id": name, "name": f"{name.title()} Tent", "category": ["Tents"], "description": told}
        for name, told in (("gale", "It stood a storm."), ("calm", "For the garden."))
    ]
)
HARDLY_READ = "tents storm hail snow frost wind"
"""Two words in six are what a statement has of it: it hardly answers."""


def test_where_nothing_else_can_be_said_what_hardly_answers_is_told_of_each() -> None:
    found = asked(HARDLY_READ, "Tents", shop=STORMS)
    assert found is not None
    [said] = found.facts
    assert "It stood a storm." in said.text
    assert said.product_id == "gale"


def test_what_hardly_answers_is_not_told_in_place_of_an_answer_that_may_be_one() -> None:
    item = SHOP.evidence(["return_policy:tents"])[0]
    rule = Draft(outcome="clear", blocks=[paragraph(cited("Tents can be returned.", span(item, 0, 9)))], confidence=0.3)
    assert asked(HARDLY_READ, "Tents", shop=STORMS, draft=rule) is None


def test_what_is_read_of_one_is_told_of_each_by_the_same_attribute() -> None:
    rows = {"k": {"Body": "cool steel sides"}, "j": {"Body": "plastic", "Handle": "cool steel"}, "l": {"Lid": "steel"}}
    shop = make_shop(
        [{"id": key, "name": f"Ling {key}", "category": ["Kettles"], "attributes": own} for key, own in rows.items()]
    )
    found = asked("kettles cool steel sides when boiling", "Kettles", shop=shop)
    assert found is not None
    assert [one.text for one in found.facts] == ["Ling k, body: cool steel sides", "Ling j, body: plastic"]
