"""Buyer or seller: an unstated role gets the buyer's answer first, then one short question."""

from graph.answering.choice import for_buyers
from graph.draft import Draft
from graph.turn import Role, User
from tests.graph.answering.asking import cited_in, draft_of, question, said
from tests.graph.shops import CANCEL, document, make_shop

BUYER = CANCEL[0]
SELLER = document(
    "cancel-seller", "To cancel an order:\n1. Open Sales.\n2. Pick a reason.", title="Cancel order", audience="seller"
)
SHOP = make_shop([], documents=[SELLER, BUYER])
ASKED = "How do I cancel an order?"


def cancel(role: Role | None = None, buyer: float = 0.8, seller: float = 0.8) -> Draft:
    evidence = sorted([(BUYER, buyer), (SELLER, seller)], key=lambda pair: -pair[1])
    if role is not None:
        evidence = [pair for pair in evidence if pair[0].audience in (role, "both")]
    return draft_of(question(SHOP, ASKED, intents=["how_to"], user=User(role=role), evidence=evidence))


def test_the_buyers_answer_comes_first_then_the_question() -> None:
    draft = cancel(seller=0.85)
    assert draft.outcome == "ambiguous"
    assert cited_in(draft) == [BUYER.evidence_id]
    assert said(draft).endswith("?")
    assert "Sales" not in said(draft)
    assert said(draft).index("My orders") < said(draft).index("seller")


def test_the_question_can_be_clicked() -> None:
    draft = cancel()
    assert draft.pending_kind == "role"
    assert draft.clarification is not None
    assert draft.clarification.options == list(draft.options)
    assert sorted(draft.options.values()) == ["buyer", "seller"]


def test_a_known_role_is_not_asked_for() -> None:
    assert cancel("buyer").outcome == "clear"
    assert cited_in(cancel("seller")) == [SELLER.evidence_id]
    assert cancel("seller").outcome == "clear"


def test_a_far_less_relevant_article_is_no_tie() -> None:
    assert cancel(buyer=0.9, seller=0.3).outcome == "clear"


def test_an_article_on_another_matter_is_no_tie() -> None:
    payout = document("payout", "To be paid out:\n1. Open Sales.\n2. Pick a bank.", title="Payouts", audience="seller")
    evidence = [(BUYER, 0.8), (payout, 0.8)]
    assert draft_of(question(SHOP, ASKED, intents=["how_to"], evidence=evidence)).outcome == "clear"


def test_an_article_for_both_is_no_tie() -> None:
    both = document("cancel", BUYER.text, title="Cancel order", audience="both")
    assert draft_of(question(SHOP, ASKED, intents=["how_to"], evidence=[(both, 0.8), (SELLER, 0.8)])).outcome == "clear"


def test_what_is_for_sellers_alone_is_not_told_first() -> None:
    pairs = ((SELLER, 0.9), (BUYER, 0.5))
    assert for_buyers(pairs, None) == ((BUYER, 0.5),)
    assert for_buyers(pairs, "seller") == pairs


def test_where_only_sellers_have_an_answer_it_is_told() -> None:
    draft = draft_of(question(SHOP, ASKED, intents=["how_to"], evidence=[(SELLER, 0.8)]))
    assert cited_in(draft) == [SELLER.evidence_id]
