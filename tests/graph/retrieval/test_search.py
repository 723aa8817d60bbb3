"""Search: a product's own evidence exactly, the whole shop's by dense and lexical search together."""

from graph.retrieval.relevance import asked_terms, coverage, relevance
from graph.retrieval.search import fuse, product_hits, related_hits, shop_hits
from ingestion.evidence import SOURCE_TYPES
from tests.graph.fakes import BagOfWords, make_context
from tests.graph.shops import camping_shop, document

PARTS = make_context(camping_shop())


def test_what_two_rankings_agree_on_comes_first() -> None:
    assert fuse([["a", "b", "c"], ["d", "b", "e"]])[0] == "b"


def test_a_higher_rank_counts_more_and_ties_go_by_id() -> None:
    assert fuse([["b", "a"]]) == ["b", "a"]
    assert fuse([["b"], ["a"]]) == ["a", "b"]
    assert fuse([]) == []


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


def test_the_products_name_is_not_what_is_asked_for() -> None:
    assert asked_terms("How heavy is the Tarn 2?", ["Tarn 2"]) == asked_terms("How heavy is it?", [])


def test_coverage_is_the_share_of_asked_terms() -> None:
    assert coverage(frozenset({"peg", "pole"}), "Pegs and a bag.") == 0.5
    assert coverage(frozenset(), "Pegs.") == 0.0


def test_an_evidence_is_found_by_what_names_it_too() -> None:
    encoder = BagOfWords()
    plain = document("a", "Open the page.", title="Page")
    named = document("b", "Open the page.", title="Refunds", section="Money back", keywords=("reimbursement",))
    question = ["reimbursement"]
    vectors = encoder.encode([plain.text, named.text])
    scores = relevance(encoder.encode(question), vectors, asked_terms(question[0], []), [plain, named])
    assert scores[1] > scores[0]
