"""Spelled: mistyped words of a question are read as meant, names and the shop's own words as they stand."""

import pytest

from graph.catalog import LocalCatalog
from graph.discourse import Discourse, Pending
from graph.parts import Rewrite
from graph.rewriting import RuleRewriter, SpelledRewriter
from graph.turn import Page, User
from tests.graph.fakes import always_asks
from tests.graph.shops import make_shop

SHOP = make_shop(
    [
        {"id": "kestrel-2", "name": "Kestrel 2", "brand": "Felmark", "category": ["Tents"],
         "attributes": {"Weight": "1.9 kg", "Flysheet": "nylon"}, "features": ["Aerovent keeps the inner dry"]},
        {"id": "heron-2", "name": "Heron 2", "brand": "Felmark", "category": ["Tents"]},
    ],
    reviews=[{"id": "r", "product_id": "kestrel-2", "text": "The wieght is fine."}],
    facts=[{"id": "f", "source_type": "return_policy", "text": "Ask for a retrun slip in the Smalland hub."}],
    regions={"Scandinavia": ["Norwey"]},
)  # fmt: skip


CATALOG = LocalCatalog(SHOP.products)
PLAIN = RuleRewriter(CATALOG, flags=always_asks)
SPELLED = SpelledRewriter(PLAIN, CATALOG, SHOP)


def asked(query: str, page: str | None = None, pending: Pending | None = None) -> Rewrite:
    return SPELLED.rewrite(query, Discourse(pending=pending), User(page=Page(product_id=page)), SHOP.products)


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("how hevy is teh Kestrel 2", "how heavy is the Kestrel 2"),
        ("Waranty of the Kestrel 2?", "Warranty of the Kestrel 2?"),
        ("WARANTY OF THE KESTREL 2", "WARRANTY OF THE KESTREL 2"),
        ("does the Kestrel 2 have a flysheat?", "does the Kestrel 2 have a flysheet?"),
    ],
)
def test_mistyped_words_are_rewritten_and_it_says_so(query: str, standalone: str) -> None:
    result = asked(query)
    assert (result.standalone_query, result.rewritten_by) == (standalone, "rules")


@pytest.mark.parametrize(
    "query",
    [
        "How heavy is the Kestrl 2?",
        "What does felmark stand for?",
        "does the Kestrel 2 have aerovent?",
        "what is the smalland hub",
        "where do I get a retrun slip",
        "do you ship to norwey",
        "Is the Batery Haus open?",
        "my order is WIEGHT or wieght@example.com or /wieght",
        "wie schwer ist das zelt und was kostet es",
    ],
)
def test_names_codes_and_the_shops_own_words_stay(query: str) -> None:
    result = asked(query)
    assert (result.standalone_query, result.rewritten_by) == (query, "none")


def test_what_a_customer_mistyped_in_a_review_is_no_word_of_the_shop() -> None:
    assert asked("what is the wieght of the Kestrel 2").standalone_query == "what is the weight of the Kestrel 2"


def test_the_corrected_question_is_made_to_stand_alone() -> None:
    assert "battery" in asked("waht is its batery size", page="kestrel-2").standalone_query
    assert "Kestrel 2" in asked("waht is its batery size", page="kestrel-2").standalone_query


def test_a_reply_that_chooses_an_option_is_taken_as_it_stands() -> None:
    pending = Pending(kind="slot", question="Which?", standalone_query="Is it in stock?", options={"Wieght": "Wieght"})
    assert asked("wieght", pending=pending).standalone_query == "Is it in stock for Wieght?"


def test_a_question_without_a_mistake_is_rewritten_as_ever() -> None:
    for query in ("How heavy is the Kestrel 2?", "What is your return policy?", "hi"):
        assert asked(query) == PLAIN.rewrite(query, Discourse(), User(), SHOP.products)
