"""When the rewriter is sure of a rewrite: nothing that the question leans on was left open."""

from collections.abc import Sequence

import pytest

from graph.catalog import LocalCatalog
from graph.discourse import Discourse, PastTurn, Pending
from graph.parts import Rewrite
from graph.rewriting import RuleRewriter
from graph.turn import User
from ingestion.evidence import Product
from tests.graph.fakes import always_asks

PRODUCTS = {"x2": Product(id="x2", name="Aurora X2", category=("Phones",), attributes={"Battery": "4,500 mAh"})}
BEFORE = ("Which documents does the tax office want?",)


def read(
    query: str,
    *,
    before: Sequence[str] = (),
    focus: Sequence[str] = (),
    pending: Pending | None = None,
) -> Rewrite:
    rewriter = RuleRewriter(LocalCatalog(PRODUCTS), always_asks)
    turns = [PastTurn(query=text, standalone_query=text, answer="", outcome="clear") for text in before]
    discourse = Discourse(turns=turns, focus=list(focus), pending=pending)
    return rewriter.rewrite(query, discourse, User(), PRODUCTS)


@pytest.mark.parametrize(
    "query", ["How big is the battery of the Aurora X2?", "battery life", "How does it work?", "and then?", "why?"]
)
def test_a_first_turn_leans_on_nothing(query: str) -> None:
    assert read(query).sure


@pytest.mark.parametrize(
    "query",
    [
        "Must they be certified?",
        "and for children?",
        "why?",
        "how long?",
        "what happens then?",
        "How does that work?",
        "originals or copies?",
    ],
)
def test_what_leans_on_the_thread_and_is_left_open_is_not_sure(query: str) -> None:
    found = read(query, before=["Hello there, documents", *BEFORE, "Thank you."])
    assert found.standalone_query == query
    assert not found.sure


@pytest.mark.parametrize(
    "query",
    [
        "What is your return policy?",
        "Is it possible to pay by invoice?",
        "How big is the battery of the Aurora X2?",
        "I placed an order yesterday, can I cancel it?",
        "My parcel is five days late, do I get anything for that?",
        "cheapest phones",
        "Which colours of the envelopes do you recommend?",
    ],
)
def test_what_stands_alone_in_a_thread_is_sure(query: str) -> None:
    assert read(query, before=BEFORE).sure


def test_what_the_rules_resolve_is_sure() -> None:
    found = read("how big is its battery?", before=["Tell me about the Aurora X2."], focus=["x2"])
    assert "Aurora X2" in found.standalone_query
    assert found.sure


def test_a_reply_to_a_question_asked_back_is_sure() -> None:
    pending = Pending(
        kind="role", question="Buyer or seller?", standalone_query="How do I cancel it?", options={"Buyer": "buyer"}
    )
    assert read("Buyer", before=BEFORE, pending=pending).sure
