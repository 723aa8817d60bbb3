"""Mending: a wrong citation is put right, a wrong sentence gives way to its source, by the same test."""

import pytest

from graph.draft import Block, Draft, Dropped, Segment, Sentence
from graph.turn import Derived
from graph.verification import SentenceVerifier
from graph.verification.admission import admit_sentences
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import SharedWords, saying, span_of, whole

TARN = Product(id="tarn-2", name="Tarn 2")
SPEC = Evidence(
    "spec:tarn-2", "spec", "Weight: 1.9 kg\nPoles: 2 aluminium poles", "Specifications", "tarn-2", product_id="tarn-2"
)
OTHER = Evidence("spec:tarn-3", "spec", "Weight: 2.6 kg", "Specifications", "tarn-3", product_id="tarn-3")
REVIEW = Evidence("review:1", "review", "The pegs bent in hard soil. I like it.", "Review", "1", product_id="tarn-2")
RETURNS = Evidence("return_policy:all", "return_policy", "Tents can be returned within 30 days.", "Returns", "all")
QA = Evidence("qa:1", "qa", "Question: Sides?\nAnswer: 2 nylon sides.", "Q&A", "1", product_id="tarn-2")
EVIDENCE = {item.evidence_id: item for item in (SPEC, OTHER, REVIEW, RETURNS, QA)}
WEIGHT = span_of(SPEC, "Weight: 1.9 kg")


def admitted(sentence: Sentence, kind: str = "paragraph") -> tuple[Draft, list[Dropped]]:
    block = Block.model_validate({"kind": kind, "sentences": [sentence]})
    draft = Draft(outcome="clear", blocks=[block], confidence=0.9)
    return admit_sentences(draft, EVIDENCE, {TARN.id: TARN}, SentenceVerifier(SharedWords()))


def test_a_right_sentence_gets_the_citation_that_supports_it() -> None:
    draft, dropped = admitted(saying("Tents can be returned within 30 days.", WEIGHT, product_id="tarn-2"))
    (sentence,) = draft.blocks[0].sentences
    assert sentence.text == "Tents can be returned within 30 days."
    assert [span.evidence_id for span in sentence.spans] == ["return_policy:all"]
    assert dropped == []


def test_no_citation_of_another_product_is_found_for_it() -> None:
    draft, dropped = admitted(saying("The Tarn 2 weighs 2.6 kg.", whole(OTHER), product_id="tarn-2"))
    assert draft.outcome == "no_answer"
    assert dropped[0].reasons == ["scope"]


def test_a_wrong_figure_gives_way_to_the_attribute_in_a_sentence() -> None:
    draft, dropped = admitted(
        saying("The poles of the Tarn 2 are 3 aluminium poles.", whole(SPEC), product_id="tarn-2")
    )
    (sentence,) = draft.blocks[0].sentences
    assert "2 aluminium poles" in sentence.text
    assert "3" not in sentence.text
    assert [SPEC.text[span.start : span.end] for span in sentence.spans] == ["Poles: 2 aluminium poles"]
    assert (dropped[0].failing, dropped[0].reasons, dropped[0].instead) == (["3"], ["figures"], sentence.text)


def test_an_overstated_opinion_gives_way_to_what_the_customer_wrote() -> None:
    draft, dropped = admitted(saying("The 8 pegs bent in hard soil.", whole(REVIEW), product_id="tarn-2"))
    (sentence,) = draft.blocks[0].sentences
    assert "“The pegs bent in hard soil.”" in sentence.text
    assert dropped[0].failing == ["8"]


@pytest.mark.parametrize("kind", ["steps", "table"])
def test_no_quotation_stands_in_a_step_or_a_cell(kind: str) -> None:
    draft, dropped = admitted(saying("The 8 pegs bent in hard soil.", whole(REVIEW), product_id="tarn-2"), kind)
    assert not [sentence for block in draft.blocks for sentence in block.sentences if sentence.factual]
    assert dropped[0].instead is None


def test_a_bare_value_gets_no_citation_where_several_places_say_it() -> None:
    gate = Evidence("spec:x", "spec", "Pump: No\nBag: Yes\nLight: Yes", "Specifications", "x", product_id="tarn-2")
    cell = saying("Yes", span_of(gate, "Pump: No"), product_id="tarn-2")
    table = Block(kind="table", columns=["", "Tarn 2"], row_names=["Pump"], sentences=[cell])
    draft = Draft(outcome="clear", blocks=[table], confidence=0.9)
    shown, dropped = admit_sentences(draft, {"spec:x": gate}, {TARN.id: TARN}, SentenceVerifier(SharedWords()))
    assert not shown.facts
    assert [one.text for one in dropped] == ["Yes"]


def test_what_was_counted_wrongly_is_dropped() -> None:
    derived = Derived(op="count", of=["review:1"], value=2)
    counted = whole(REVIEW).model_copy(update={"derived": derived})
    sentence = Sentence(segments=[Segment(text="2 reviews mention the pegs.", spans=[counted])], product_id="tarn-2")
    draft, dropped = admitted(sentence)
    assert draft.outcome == "no_answer"
    assert dropped[0].reasons == ["computed"]


def test_what_no_source_speaks_of_is_dropped_with_the_words_that_fail() -> None:
    draft, dropped = admitted(saying("The Tarn 2 glows purple underwater.", WEIGHT, product_id="tarn-2"))
    assert draft.outcome == "no_answer"
    assert dropped[0].reasons == ["support"]
    assert {"glow", "purpl"} <= set(dropped[0].failing)


def test_a_citation_outside_the_text_does_not_resolve() -> None:
    beyond = WEIGHT.model_copy(update={"end": 500})
    missing = WEIGHT.model_copy(update={"evidence_id": "spec:none"})
    verifier = SentenceVerifier(SharedWords())
    for span in (beyond, missing):
        verdict = verifier.verify(saying("The Tarn 2 weighs 1.9 kg.", span, product_id="tarn-2"), EVIDENCE, TARN)
        assert (verdict.accepted, verdict.reasons) == (False, ("citation",))


def test_an_answer_of_a_customer_is_quoted_and_is_no_attribute() -> None:
    draft, _ = admitted(saying("The sides of the Tarn 2 are 3 nylon sides.", whole(QA), product_id="tarn-2"))
    (sentence,) = draft.blocks[0].sentences
    assert "“2 nylon sides.”" in sentence.text
    assert "nswer of" not in sentence.text
