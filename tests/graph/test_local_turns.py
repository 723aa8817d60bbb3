"""Whole turns with the local responder and verifier over a shop in memory: what a customer reads."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph.catalog import LocalCatalog
from graph.parts import Context
from graph.turn import Page, Turn, User
from graph.verification import SentenceVerifier
from tests.graph.fakes import FixedIntents, SharedWords, StoppedClock, local_responder, make_context
from tests.graph.shops import Shop, camping_shop
from tests.graph.turns import ask

SHOP = camping_shop()


def local(intent: str, shop: Shop = SHOP, now: datetime | None = None) -> Context:
    return make_context(
        shop,
        intents=FixedIntents(**{intent: 1.0}),
        responder=local_responder(),
        verifier=SentenceVerifier(SharedWords()),
        clock=StoppedClock(now) if now else None,
    )


def asked(text: str, intent: str = "product_spec", user: User | None = None, now: datetime | None = None) -> Turn:
    return ask(local(intent, now=now), text, user=user)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("How heavy is the Tarn 2?", "product_spec"),
        ("How heavy is the Tarn 2 in pounds?", "product_spec"),
        ("Is the Tarn 2 fire retardant?", "product_spec"),
        ("Does the Tarn 2 have a footprint?", "product_spec"),
        ("Compare the Tarn 2 and the Tarn 3", "product_spec"),
        ("Pros and cons of the Tarn 2?", "opinion"),
        ("Does the Tarn 2 come in sand?", "variant"),
        ("How do I cancel an order?", "how_to"),
        ("show me something under $30", "non_decision"),
    ],
)
def test_markers_and_citations_belong_together(text: str, intent: str) -> None:
    turn = asked(text, intent)
    markers = [int(number) for number in re.findall(r"\[(\d+)\]", turn.answer)]
    assert list(dict.fromkeys(markers)) == [citation.marker for citation in turn.citations]
    assert list(dict.fromkeys(markers)) == list(range(1, len(turn.citations) + 1))
    assert len({(one.evidence_id, one.start, one.end) for one in turn.citations}) == len(turn.citations)
    assert all(sentence.citations for sentence in turn.sentences if sentence.factual)
    for citation in turn.citations:
        text_of = SHOP.evidence([citation.evidence_id])[0].text
        assert text_of[citation.start : citation.end] == citation.quote


def test_a_figure_is_answered_from_the_product_named() -> None:
    two, three = asked("How heavy is the Tarn 2?"), asked("How heavy is the Tarn 3?")
    assert "1.9 kg" in two.answer
    assert "2.6 kg" in three.answer
    assert {citation.product_id for citation in three.citations} == {"tarn-3"}


def test_a_comparison_cites_each_cell_from_its_own_product() -> None:
    turn = asked("Compare the weight of the Tarn 2 and the Tarn 3")
    cells = {sentence.text: sentence.citations for sentence in turn.sentences}
    by_marker = {citation.marker: citation.product_id for citation in turn.citations}
    assert {text: [by_marker[marker] for marker in markers] for text, markers in cells.items()} == {
        "1.9 kg": ["tarn-2"],
        "2.6 kg": ["tarn-3"],
    }


def test_an_offer_is_told_while_it_lasts() -> None:
    text = "Is there a discount on the Tarn 2?"
    march = asked(text, "offers_and_discounts", now=datetime(2026, 3, 31, 23, tzinfo=UTC))
    assert "$50" in march.answer
    april = asked(text, "offers_and_discounts", now=datetime(2026, 4, 1, tzinfo=UTC))
    assert "$50" not in april.answer
    assert "$249" in april.answer
    assert "offer:spring" not in {item.evidence_id for item in april.retrieved}


def test_delivery_is_told_for_the_users_region() -> None:
    text = "How long does delivery take?"
    assert "3 to 5" in asked(text, "delivery_sla", User(region="94107")).answer
    assert "5 to 8" in asked(text, "delivery_sla", User(region="Germany")).answer


def test_a_place_in_the_question_counts_before_the_users_own() -> None:
    turn = asked("How long does delivery to Germany take?", "delivery_sla", User(region="94107"))
    assert "5 to 8" in turn.answer
    assert "3 to 5" not in turn.answer


def test_steps_are_complete_and_in_order() -> None:
    turn = asked("How do I cancel an order?", "how_to", User(role="buyer"))
    assert turn.outcome == "clear"
    first, second = (line for line in turn.answer.split("\n") if re.match(r"\d\. ", line))
    assert first.startswith("1. ")
    assert "My orders" in first
    assert "Cancel" in second


def test_an_answer_depends_on_the_role() -> None:
    seller = asked("How do I cancel an order?", "how_to", User(role="seller"))
    assert "Sales" in seller.answer
    assert {citation.evidence_id for citation in seller.citations} == {"help_article:cancel-order-seller"}


def test_a_gap_is_no_answer_with_a_name_and_a_next_step() -> None:
    turn = asked("Is the Tarn 2 fire retardant?")
    assert turn.outcome == "no_answer"
    assert "fire retardant" in turn.answer
    assert turn.answer.rstrip().endswith("?")
    assert turn.confidence.label == "low"


def test_counts_are_recorded_with_all_they_count() -> None:
    turn = asked("Pros and cons of the Tarn 2?", "opinion")
    derived = [citation.derived for citation in turn.citations if citation.derived]
    assert {one.op for one in derived} >= {"count"}
    for one in derived:
        assert SHOP.evidence(one.of)
        assert one.op != "count" or one.value == len(one.of)


@pytest.mark.parametrize("at_hand", [{}, {"page": Page(product_id="moor-socks")}])
def test_a_rule_is_that_of_the_kind_of_product_which_is_named(at_hand: dict[str, Page]) -> None:
    context = replace(local("return_policy"), catalog=LocalCatalog(SHOP.products))
    turn = ask(context, "Can I return a tent that I have used?", user=User(**at_hand))
    assert [one.evidence_id for one in turn.citations] == ["return_policy:tents"]
