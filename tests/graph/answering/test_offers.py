"""Offers: what is on now, and the price beside it."""

from graph.answering.variants import find_offers
from graph.draft import Draft
from tests.graph.answering.asking import cited_in, clause, draft_of, facts_said, question, said
from tests.graph.shops import TARN_2, camping_shop, make_shop

SHOP = camping_shop()


def offers(product: str, text: str = "Is there a discount on it?") -> Draft:
    return draft_of(question(SHOP, text, product, intents=["offers_and_discounts"]))


def test_an_offer_stands_with_the_price() -> None:
    draft = offers("tarn-2")
    assert cited_in(draft) == ["offer:spring", "spec:tarn-2"]
    assert "$50 off" in facts_said(draft)
    assert "$249" in facts_said(draft)


def test_without_an_offer_that_is_said_and_the_price_is_told() -> None:
    draft = offers("tarn-3")
    assert "no current offer" in said(draft)
    assert "offer" not in facts_said(draft)
    assert "$329" in facts_said(draft)
    assert draft.outcome == "clear"


def test_another_products_offer_is_not_told() -> None:
    asked = clause("Is there a discount on it?")
    found = find_offers(asked, SHOP.products["tarn-3"], [(item, 0.9) for item in SHOP.everything])
    assert found is not None
    assert found.evidence_ids == {"spec:tarn-3"}


def test_an_offer_on_everything_is_told_of_each_product() -> None:
    facts = [{"id": "all", "source_type": "offer", "text": "Everything is 10% off."}]
    shop = make_shop([dict(TARN_2) | {"related": []}], facts=facts)
    draft = draft_of(question(shop, "Is there a sale on the Tarn 2?", "tarn-2", intents=["offers_and_discounts"]))
    assert "10% off" in facts_said(draft)


def test_a_question_about_the_price_alone_tells_the_price() -> None:
    assert "$249" in facts_said(offers("tarn-2", "How much is the Tarn 2?"))


def test_an_offer_that_runs_stands_beside_the_price_of_its_product() -> None:
    assert "$50 off" in facts_said(offers("tarn-2", "What does it cost?"))
    assert "off" not in facts_said(offers("tarn-3", "What does it cost?"))


def test_price_and_discount_asked_together_are_both_told() -> None:
    offer = {"id": "o", "source_type": "offer", "product_id": "tarn-2", "text": "Tarn 2: 10 % discount."}
    asked = question(
        make_shop([TARN_2], facts=[offer]), "Tarn 2 price and discount", "tarn-2", intents=["offers_and_discounts"]
    )
    told = facts_said(draft_of(asked))
    assert "10 %" in told
    assert "$249" in told
