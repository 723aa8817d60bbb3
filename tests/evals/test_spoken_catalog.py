"""The products that a conversation names, where no catalog is at hand."""

import pytest

from evals.rows import Message
from evals.spoken_catalog import SpokenCatalog, read_catalog
from evals.written_conversations import rewritten

TENTS = "Here are some: 1. Kestrel 2 - $249, 1.9 kg 2. Heron 2 - $189, 2.4 kg 3. Wren Ultra - $329, 1.1 kg"


def said(*contents: str) -> list[Message]:
    return [Message(role="assistant" if place % 2 else "user", content=text) for place, text in enumerate(contents)]


def catalog(*contents: str, query: str = "what does it cost?", page: str | None = None) -> SpokenCatalog:
    found = read_catalog(said(*contents), query, [page] if page else [])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (TENTS, ["Kestrel 2", "Heron 2", "Wren Ultra"]),
        ("We carry the Gyre 500, the Gyre 700 and the Vortex Mini.", ["Gyre 500", "Gyre 700", "Vortex Mini"]),
        ("- Barrier Cream ($24)\n- Night Balm ($39)", ["Barrier Cream", "Night Balm"]),
        ("The iPhone 13 Pro Max is rated IP68.", ["iPhone 13 Pro Max"]),
        ("We ship the Gyre 500 to Canada for $15.", ["Gyre 500"]),
    ],
)
def test_products_are_read_off_lists_prices_and_model_numbers(answer: str, names: list[str]) -> None:
    assert list(catalog("what do you have?", answer).products) == names


def test_prices_and_measures_are_read_with_them() -> None:
    product = catalog("which tents do you have?", TENTS).products["Heron 2"]
    assert product.price is not None
    assert (product.price.amount, product.price.currency) == (189, "USD")
    assert product.attributes == {"Weight": "2.4 kg"}
    assert product.category == ("tents",)


@pytest.mark.parametrize(
    ("contents", "query"),
    [
        (["Who was Queen Victoria?", "A queen, born in 1819."], "Who was her husband?"),
        (["Tell me about Apollo 11.", "It landed in 1969."], "Who was on board?"),
        (["Do you ship to Canada?", "Yes."], "and to Mexico?"),
    ],
)
def test_a_conversation_that_shows_no_product_is_no_shops(contents: list[str], query: str) -> None:
    assert read_catalog(said(*contents), query, []) is None


def test_the_open_page_of_a_model_is_a_product() -> None:
    assert catalog(query="battery size?", page="Aurora X2").page == "Aurora X2"


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("how heavy is the second one?", "how heavy is Heron 2?"),
        ("is the cheapest one waterproof?", "is Heron 2 waterproof?"),
        ("the lightest one?", "Tell me about Wren Ultra."),
        ("what is your return policy?", "what is your return policy?"),
        ("which is the warmest?", "which is the warmest, Kestrel 2, Heron 2 or Wren Ultra?"),
    ],
)
def test_what_an_answer_shows_can_be_picked_from(query: str, standalone: str) -> None:
    assert rewritten(said("Show me tents", TENTS), query).standalone_query == standalone


def test_a_product_goes_on_until_another_is_named() -> None:
    history = said("How loud is the Gyre 500?", "The Gyre 500 has 84 dB.")
    assert rewritten(history, "and its warranty?").standalone_query == "and the Gyre 500's warranty?"
    assert rewritten(history, "what about the Gyre 700?").standalone_query == "How loud is the Gyre 700?"
