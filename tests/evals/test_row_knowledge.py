"""A row's evidence as a shop: what belongs to the product, what search finds, and which ids it has."""

import pytest
from pydantic import ValidationError

from evals.row_turns import RowEvidence, RowKnowledge, RowProduct, evidence_of
from ingestion.errors import UnknownEvidenceError
from ingestion.source_types import SOURCE_TYPES
from tests.graph.fakes import BagOfWords

TENT = RowProduct(id="tent:1", name="Tarn 2")
SPEC = RowEvidence(id="1", text="Weight: 1.9 kg", source_type="spec")
HELP = RowEvidence(id="2", text="Parcels to islands take a week.", title="Delivery")
MORE = RowEvidence(id="3", text="Returns are free.")


def knowledge(*rows: RowEvidence, product: RowProduct | None = None) -> RowKnowledge:
    return RowKnowledge(BagOfWords(), evidence_of(rows, product), product)


def test_ids_say_the_kind_and_rows_keep_their_own() -> None:
    [spec] = evidence_of([RowEvidence(id="a:1", text="t", source_type="spec")])
    assert (spec.evidence_id, spec.row_id) == ("spec:a%3A1", "a:1")


def test_evidence_is_the_products_and_help_articles_are_the_shops() -> None:
    assert [item.product_id for item in evidence_of([SPEC, HELP], TENT)] == ["tent:1", None]
    assert [item.product_id for item in evidence_of([SPEC, HELP])] == [None, None]


def test_sources_are_called_as_in_a_shop_unless_the_row_says_otherwise() -> None:
    assert [item.title for item in evidence_of([SPEC, HELP], TENT)] == ["Tarn 2 specifications", "Delivery"]
    assert evidence_of([SPEC], RowProduct(id="x"))[0].title == "Specifications"


def test_a_product_without_a_name_is_called_the_product() -> None:
    assert [one.name for one in knowledge(SPEC, product=RowProduct(id="x")).products.values()] == ["product"]


def test_a_products_evidence_is_read_by_the_product_and_the_rest_is_found_by_search() -> None:
    shop = knowledge(SPEC, HELP, MORE, product=TENT)
    assert [item.row_id for item in shop.product_evidence("tent:1", SOURCE_TYPES)] == ["1"]
    vector = BagOfWords().encode(["parcels to islands"])[0]
    assert [key for key, _ in shop.dense(vector, SOURCE_TYPES, 1)] == ["help_article:2"]
    assert [key for key, _ in shop.lexical("weight of parcels to islands", SOURCE_TYPES, 5)] == ["help_article:2"]


def test_a_rare_word_counts_more_than_one_that_all_have() -> None:
    rows = [RowEvidence(id=key, text=text) for key, text in (("a", "red red tent"), ("b", "blue tent"), ("c", "tent"))]
    scores = dict(knowledge(*rows).lexical("blue tent", SOURCE_TYPES, 5))
    assert max(scores, key=lambda key: scores[key]) == "help_article:b"
    assert scores["help_article:a"] < scores["help_article:c"] < scores["help_article:b"]


def test_kinds_that_are_not_asked_for_are_not_found() -> None:
    shop = knowledge(SPEC, HELP)
    assert shop.lexical("islands", frozenset({"spec"}), 5) == []
    assert shop.dense(BagOfWords().encode(["islands"])[0], frozenset({"offer"}), 5) == []


def test_an_unknown_id_is_an_error_and_an_unknown_kind_too() -> None:
    with pytest.raises(UnknownEvidenceError):
        knowledge(SPEC).evidence(["spec:9"])
    with pytest.raises(ValidationError, match="no kind of evidence"):
        RowEvidence(id="1", text="t", source_type="rumour")


def test_a_customers_answer_stands_behind_its_question_as_in_a_shop() -> None:
    row = RowEvidence(id="q", text="It has two. Question: How many pockets does it have?", source_type="qa")
    assert [item.text for item in evidence_of([row])] == [
        "Question: How many pockets does it have?\nAnswer: It has two."
    ]
    whole = RowEvidence(id="w", text="Question: Is it red?\nAnswer: No.", source_type="qa")
    assert [item.text for item in evidence_of([whole])] == [whole.text]
