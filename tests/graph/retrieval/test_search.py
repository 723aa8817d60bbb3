"""Search: a product's own evidence exactly, the whole shop's by dense and lexical search together."""

from collections.abc import Sequence

from graph.retrieval.search import (
    LIFT,
    NearestStatements,
    SearchParts,
    asked_terms,
    document_hits,
    product_hits,
    related_hits,
    relevance,
    shop_hits,
)
from ingestion.evidence import Evidence
from ingestion.source_types import SOURCE_TYPES
from tests.graph.fakes import BagOfWords, NamedInQuery
from tests.graph.shops import camping_shop, document

SHOP = camping_shop()
PARTS = SearchParts(SHOP, BagOfWords(), NearestStatements(BagOfWords()), NamedInQuery(SHOP.products))


def test_a_products_hits_are_its_own_and_its_groups() -> None:
    found = {
        item.evidence_id for item, _ in product_hits(PARTS, ["Can I return it?"], "tarn-2", {"return_policy", "spec"})
    }
    assert found == {"spec:tarn-2", "return_policy:tents"}


def test_a_products_hits_are_ranked_by_what_they_say() -> None:
    best, _ = product_hits(PARTS, ["Which warranty comes with the Tarn 2?"], "tarn-2", SOURCE_TYPES)[0]
    assert best.source_type == "warranty"


def test_scores_are_shares() -> None:
    found = product_hits(PARTS, ["Are the pegs flimsy?"], "tarn-2", SOURCE_TYPES)
    assert all(0 <= score <= 1 for _, score in found)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_the_users_own_words_are_searched_beside_the_rewrite() -> None:
    queries = ["What of the Tarn 2?", "are the pegs flimsy"]
    scores = {item.evidence_id: score for item, score in product_hits(PARTS, queries, "tarn-2", {"review"})}
    assert scores["review:r2"] > scores["review:r1"]


def test_an_accessory_is_found_when_the_question_names_it() -> None:
    named = related_hits(PARTS, ["Does the Tarn 2 have a footprint?"], "tarn-2", {"spec"})
    assert [item.evidence_id for item, _ in named] == ["spec:tarn-2-footprint"]
    assert related_hits(PARTS, ["How heavy is the Tarn 2?"], "tarn-2", {"spec"}) == []


def test_the_whole_shops_hits_are_about_no_one_product() -> None:
    found = [item for item, _ in shop_hits(PARTS, ["Can tents be returned?"], SOURCE_TYPES)]
    assert found
    assert {item.product_id for item in found} == {None}
    assert found[0].evidence_id == "return_policy:tents"


def test_only_the_wanted_kinds_are_found() -> None:
    found = shop_hits(PARTS, ["How do I cancel an order?"], {"help_article"})
    assert {item.source_type for item, _ in found} == {"help_article"}
    assert shop_hits(PARTS, ["How do I cancel an order?"], {"size_chart"}) == []


def test_nothing_is_found_where_nothing_is_searched() -> None:
    assert shop_hits(PARTS, ["How do I cancel an order?"], set()) == []


def test_what_shares_nothing_with_a_question_is_worth_nothing() -> None:
    found = shop_hits(PARTS, ["Xyzzy plugh"], SOURCE_TYPES)
    assert {score for _, score in found} <= {0.0}


def test_the_best_of_the_shop_has_its_own_relevance_so_that_scores_compare_with_a_products() -> None:
    question = "Can tents be returned?"
    (best, score), *_ = shop_hits(PARTS, [question], SOURCE_TYPES)
    assert [score] == relevance([question], [best], PARTS.finder)


def test_document_search_reads_the_shop_and_the_products_a_question_names() -> None:
    found = [item.evidence_id for item, _ in document_hits(PARTS, "Which warranty comes with the Tarn 2?")]
    assert found[0].startswith("warranty:")
    assert "return_policy:tents" in found
    assert len(found) == len(set(found))


def test_document_search_reads_what_was_said_before_the_question_too() -> None:
    history = [
        {"role": "user", "content": "How do I cancel an order?"},
        {"role": "assistant", "content": "Do you want to know about tents and returns?"},
    ]
    alone = dict(_by_id(document_hits(PARTS, "as a buyer?")))
    told = dict(_by_id(document_hits(PARTS, "as a buyer?", history)))
    assert next(iter(told)).startswith("help_article:cancel-order")
    assert told["help_article:cancel-order"] > alone.get("help_article:cancel-order", 0.0)


def _by_id(found: Sequence[tuple[Evidence, float]]) -> list[tuple[str, float]]:
    return [(item.evidence_id, score) for item, score in found]


def test_the_products_name_is_not_what_is_asked_for() -> None:
    assert asked_terms("How heavy is the Tarn 2?", ["Tarn 2"]) == asked_terms("How heavy is it?", [])


def test_an_evidence_is_found_by_what_names_it_too() -> None:
    plain = document("a", "Open the page.", title="Page")
    named = document("b", "Open the page.", title="Refunds", section="Money back")
    less, more = relevance(["refunds"], [plain, named], PARTS.finder)
    assert more > less


PRICE = document("price", "The kettle costs forty dollars.")
SOUND = document("sound", "The kettle hums softly.")


def nearest(question: str, before: str = "") -> dict[str, float]:
    found = PARTS.finder.nearest([question], [PRICE, SOUND], before)
    return {one.evidence.row_id: one.score for one in found}


def test_statements_come_nearest_first() -> None:
    found = PARTS.finder.nearest(["how softly does it hum"], [PRICE, SOUND])
    assert [one.evidence.row_id for one in found] == ["sound", "price"]
    assert found[0].text == SOUND.text


def test_what_was_said_before_draws_near_what_both_speak_of() -> None:
    alone, after = nearest("what about softly"), nearest("what about softly", "the kettle hums")
    assert after["sound"] > alone["sound"]


def test_what_was_said_before_lifts_nothing_far() -> None:
    alone, after = nearest("anything else"), nearest("anything else", "the kettle costs forty dollars")
    assert after["price"] <= alone["price"] + LIFT + 1e-6
