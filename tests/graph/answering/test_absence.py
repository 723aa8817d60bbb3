"""Absence: the gap by its name, the nearest thing known, and a next step; never a claim."""

import pytest

from graph.answering.absence import gap
from graph.state import CatalogResult
from ingestion.evidence import Product
from tests.graph.answering.asking import cited_in, clause, draft_of, facts_said, question, said
from tests.graph.fakes import match
from tests.graph.shops import FOOTPRINT, TARN_2, camping_shop, make_shop

SHOP = camping_shop()
TARNS = (match(SHOP.products["tarn-2"], 0.7), match(SHOP.products["tarn-3"], 0.7))


def test_a_gap_is_named_in_the_words_of_the_question() -> None:
    draft = draft_of(question(SHOP, "Is the Tarn 2 fire retardant?", "tarn-2"))
    assert draft.outcome == "no_answer"
    assert "fire retardant" in said(draft)
    assert "fire retardant" in " ".join(draft.missing)
    assert "Tarn 2" in said(draft)


def test_how_much_of_something_is_no_gap() -> None:
    text = "How long is the cable of the pump, my socket is nearly a meter away"
    pump = make_shop([TARN_2 | {"description": "The cable of the pump goes into any socket."}])
    assert "meter" not in gap(clause(text), None, question(pump, text, "tarn-2"))


@pytest.mark.parametrize("part", ["light meter", "touch bar"])
def test_a_thing_that_is_called_by_a_unit_is_one(part: str) -> None:
    assert part in said(draft_of(question(SHOP, f"Does the Tarn 2 have a {part}?", "tarn-2")))


def test_nothing_is_stated_about_what_was_asked() -> None:
    draft = draft_of(question(SHOP, "Is the Tarn 2 fire retardant?", "tarn-2"))
    assert "Yes." not in said(draft)
    assert "No." not in said(draft)
    assert "fire" not in facts_said(draft)


def test_what_is_known_is_cited_and_a_next_step_is_offered() -> None:
    draft = draft_of(question(SHOP, "Is the Tarn 2 fire retardant?", "tarn-2"))
    assert all(key.endswith(":tarn-2") for key in cited_in(draft))
    assert cited_in(draft)
    assert said(draft).endswith("?")


def test_the_nearest_rule_stands_beside_a_missing_place() -> None:
    draft = draft_of(question(SHOP, "Do you deliver to Norway?", intents=["delivery_sla"]))
    assert "Norway" in said(draft)
    assert "Norway" not in facts_said(draft)
    assert [key.split(":")[0] for key in cited_in(draft)] == ["delivery"]


def test_an_accessory_sold_by_itself_is_no_part_of_the_product() -> None:
    draft = draft_of(question(SHOP, "Does the Tarn 2 have a footprint?", "tarn-2"))
    assert draft.outcome == "no_answer"
    assert "Tarn 2 Footprint" in facts_said(draft)
    assert "$29" in facts_said(draft)
    assert cited_in(draft) == ["spec:tarn-2-footprint"]


def test_what_is_in_the_bag_does_not_say_that_an_accessory_comes_with_it() -> None:
    bag = [{"id": "q", "product_id": "tarn-2", "question": "What is in it?", "answer": "Yes, the bag comes with pegs."}]
    shop = make_shop([TARN_2, FOOTPRINT], questions=bag)
    draft = draft_of(question(shop, "Does the Tarn 2 come with a footprint?", "tarn-2"))
    assert draft.outcome == "no_answer"
    assert cited_in(draft) == ["spec:tarn-2-footprint"]


def test_a_missing_part_is_named_beside_the_part_that_is_answered() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2 and does it have a mosquito net?", "tarn-2"))
    assert draft.outcome == "clear"
    assert "1.9 kg" in facts_said(draft)
    assert "mosquito net" in said(draft)
    assert "mosquito" not in facts_said(draft)
    assert draft.missing


def test_an_unknown_product_is_never_taken_for_the_nearest() -> None:
    catalog = CatalogResult(unknown=("Tarn 9",), nearest=TARNS)
    draft = draft_of(question(SHOP, "How heavy is the Tarn 9?", catalog=catalog))
    assert draft.outcome == "no_answer"
    assert "no Tarn 9" in said(draft)
    assert "Tarn 2" in said(draft)
    assert cited_in(draft) == []
    assert [one.product_id for one in draft.suggestions] == ["tarn-2", "tarn-3"]


def test_a_tie_is_asked_about_and_not_guessed() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn?", catalog=CatalogResult(tied=TARNS)))
    assert draft.outcome == "ambiguous"
    assert cited_in(draft) == []
    assert draft.options == {"Tarn 2": "tarn-2", "Tarn 3": "tarn-3"}
    assert draft.pending_kind == "product"
    assert draft.clarification is not None
    assert draft.clarification.options == ["Tarn 2", "Tarn 3"]
    assert draft.clarification.question in said(draft)


def test_tied_products_of_one_name_can_be_told_apart() -> None:
    twins = make_shop([dict(TARN_2) | {"related": []}, {"id": "tarn-2b", "name": "Tarn 2"}]).products
    catalog = CatalogResult(tied=tuple(match(product) for product in twins.values()))
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2?", catalog=catalog))
    assert sorted(draft.options.values()) == ["tarn-2", "tarn-2b"]
    assert draft.clarification is not None
    assert len(set(draft.clarification.options)) == 2


def test_a_question_that_needs_a_product_asks_for_one() -> None:
    draft = draft_of(question(SHOP, "How heavy is it?", catalog=CatalogResult(nearest=TARNS)))
    assert draft.outcome == "ambiguous"
    assert draft.clarification is not None
    assert draft.options == {"Tarn 2": "tarn-2", "Tarn 3": "tarn-3"}
    assert facts_said(draft) == ""


def test_a_gap_without_a_name_is_told_in_general_words() -> None:
    draft = draft_of(question(SHOP, "Will the Tarn 2 survive?", "tarn-2"))
    assert "The shop's information on the Tarn 2 does not say, so I can't confirm it." in said(draft)


def test_a_part_without_a_name_is_quoted_beside_the_part_that_is_answered() -> None:
    draft = draft_of(question(SHOP, "How heavy is the Tarn 2? will it survive", "tarn-2"))
    assert "1.9 kg" in facts_said(draft)
    assert "does not answer “will it survive”" in said(draft)


def test_a_thing_that_is_named_after_a_product_is_not_called_it() -> None:
    text = said(draft_of(question(SHOP, "Will a Tarn 2 footprint float?", "tarn-2")))
    assert "a it" not in text
    assert "it footprint" not in text


def test_a_name_of_repeated_words_is_read_in_one_way() -> None:
    product = Product("loop", "C++ c++")
    text = f"Is the {'C++ ' * 40}vegan?"
    assert "vegan" in gap(clause(text, product), product, question(SHOP, text))


def test_a_gap_stands_inside_its_sentence() -> None:
    assert "mention fuel consumption" in said(draft_of(question(SHOP, "Fuel consumption?", "tarn-2")))


@pytest.mark.parametrize("kind", ["description", "feature"])
def test_an_advertisement_that_is_silent_neither_confirms_nor_denies(kind: str) -> None:
    praised = {"description": {"description": "A splendid thing for the modern camper."}}
    praised["feature"] = {"features": ["A splendid thing for the modern camper"]}
    shop = make_shop([{"id": "x", "name": "Fell Cup", "attributes": {"Weight": "90 g"}} | praised[kind]])
    draft = draft_of(question(shop, "Is the Fell Cup real leather?", "x"))
    assert draft.outcome == "no_answer"
    assert not {"Yes.", "No."} & set(said(draft).split())


@pytest.mark.parametrize("code", ["zeppelins'; DROP TABLE x; y = 0; --", "<b>zeppelins</b>?", "{zeppelins}?"])
def test_nothing_of_a_message_in_code_is_repeated(code: str) -> None:
    assert "zeppelin" not in said(draft_of(question(make_shop([TARN_2]), code, "tarn-2"))).lower()


def test_a_product_that_nobody_has_named_is_asked_for() -> None:
    assert draft_of(question(SHOP, "is it heavy?")).pending_kind == "product"
    assert draft_of(question(SHOP, "can I return it?", intents=["return_policy"])).pending_kind is None


def test_what_was_named_in_other_words_is_no_gap() -> None:
    text = said(draft_of(question(SHOP, "Is the little Tarn 2 tent gluten-free?", "tarn-2")))
    assert "mention little" not in text
