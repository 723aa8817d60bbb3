import pytest

from tests.graph.rewriting.conftest import Ask

BATTERY = "What is the battery size of Aurora X2?"


@pytest.mark.parametrize(
    "query",
    [
        "what payment methods do you accept",
        "How do I cancel an order?",
        "do you ship to Canada?",
        "What is your return policy?",
        "how long does delivery take?",
        "is it possible to pay in instalments",
        "How long does it take to get a refund?",
        "where is my order?",
        "I ordered a lamp, can I return it?",
        "can I cancel my order if it has shipped?",
        "do you sell bags that are waterproof?",
    ],
)
def test_a_question_to_the_shop_is_not_tied_to_the_product_before(ask: Ask, query: str) -> None:
    result = ask(query, page="iphone-13", focus=["aurora-x2"], before=[BATTERY])
    assert (result.standalone_query, result.rewritten_by, result.products) == (query, "none", ())
    assert result.searchable


@pytest.mark.parametrize(
    "query",
    [
        "How heavy is the Kestrel 2?",
        "  how  heavy is the Kestrel 2 ?! ",
        "Compare the Kestrel 2 and the Heron 2",
        "show me tents under $200",
        "do you sell laptops?",
        "I'm looking for a phone with a good camera",
    ],
)
def test_what_stands_alone_passes_byte_for_byte(ask: Ask, query: str) -> None:
    for context in ({}, {"page": "iphone-13"}, {"focus": ["aurora-x2"], "before": [BATTERY]}):
        result = ask(query, **context)
        assert (result.standalone_query, result.rewritten_by) == (query, "none")


@pytest.mark.parametrize("query", ["is it waterproof?", "and the display?", "Battery size?", "the second one", "them"])
def test_without_context_nothing_is_made_up(ask: Ask, query: str) -> None:
    result = ask(query)
    assert (result.standalone_query, result.products) == (query, ())


def test_after_a_question_to_the_shop_it_is_not_the_product(ask: Ask) -> None:
    result = ask("does it cost anything?", page=None, before=["How do I cancel an order?"])
    assert result.products == ()
