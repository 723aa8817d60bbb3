"""A catalog search outside of the index: asked last, and believed only about products of the index."""

import pytest

from graph.nodes.catalog_search import ask_outside
from graph.parts import OutsideAnswer, OutsideProduct
from graph.state import CatalogResult
from graph.turn import ProductMatch
from ingestion.evidence import Product

PRODUCTS = {key: Product(id=key, name=name) for key, name in {"x2": "Aurora X2", "heron": "Heron 2"}.items()}
X2 = ProductMatch(id="x2", name="Aurora X2", method="search", score=0.5)


class Catalog:
    """Knows products by their names in lower case."""

    def named(self, name: str) -> list[str]:
        return [key for key, product in PRODUCTS.items() if product.name.lower() == name.lower()]

    def find(self, query: str, session: object, page: object) -> CatalogResult:
        raise NotImplementedError


class Outside:
    """Says what was prepared, and notes what it is asked."""

    name = "the shop search"

    def __init__(self, *products: tuple[str, str], failure: str | None = None) -> None:
        self._answer = OutsideAnswer(tuple(OutsideProduct(*product) for product in products), failure=failure)
        self.asked: list[str] = []

    def search(self, text: str) -> OutsideAnswer:
        self.asked.append(text)
        return self._answer


def look(found: CatalogResult, outside: Outside) -> tuple[list[str], list[str]]:
    """Ids that are accepted and names that stay unknown."""
    result = ask_outside(found, "the two-man dome tent", outside, Catalog(), PRODUCTS)[0]
    return [match.id for match in result.matches], list(result.unknown)


@pytest.mark.parametrize("found", [CatalogResult(matches=(X2,)), CatalogResult(tied=(X2,)), CatalogResult()])
def test_where_the_index_is_sure_or_no_name_was_said_it_is_not_asked(found: CatalogResult) -> None:
    outside = Outside(("heron", ""))
    asked = ask_outside(found, "q", outside, Catalog(), PRODUCTS)
    assert (*asked, outside.asked) == (found, "q", None, [])


def test_an_unknown_name_is_asked_for_and_found_by_id_or_by_name() -> None:
    unknown = CatalogResult(unknown=("Reiher 2",))
    by_id, by_name = Outside(("heron", "")), Outside(("shop-17", "HERON 2"))
    assert look(unknown, by_id) == look(unknown, by_name) == (["heron"], [])
    assert by_id.asked == ["Reiher 2"]


def test_a_name_that_was_only_near_is_asked_for_as_it_was_said() -> None:
    outside = Outside(("heron", "Heron 2"))
    assert look(CatalogResult(nearest=(X2,)), outside) == (["heron"], [])
    assert outside.asked == ["the two-man dome tent"]


def test_products_that_the_index_lacks_are_passed_over() -> None:
    assert look(CatalogResult(unknown=("A",)), Outside(("gone", "Gone"), ("heron", ""))) == (["heron"], [])
    assert look(CatalogResult(unknown=("A",)), Outside(("gone", "Gone"))) == ([], ["A"])


def test_a_name_like_ours_that_is_not_ours_stays_unknown_whatever_it_says() -> None:
    assert look(CatalogResult(unknown=("Aurora X9",), nearest=(X2,)), Outside(("x2", "Aurora X2"))) == (
        [],
        ["Aurora X9"],
    )


def test_a_failure_leaves_what_the_index_said_and_is_told() -> None:
    found = CatalogResult(unknown=("A",))
    now, text, call = ask_outside(found, "q", Outside(failure="no answer within 1 s"), Catalog(), PRODUCTS)
    assert (now, text) == (found, "q")
    assert call is not None
    assert (call.name, call.failure, call.intents) == ("the shop search", "no answer within 1 s", [])


def test_the_question_is_told_with_the_name_of_the_product_that_was_found() -> None:
    found = CatalogResult(unknown=("Reiher 2",))
    _, text, _ = ask_outside(found, "How heavy is the Reiher 2?", Outside(("heron", "")), Catalog(), PRODUCTS)
    assert text == "How heavy is the Heron 2?"
