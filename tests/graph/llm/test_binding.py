"""Binding: a model cites a source whole, a citation shows the very words."""

from graph.draft import Sentence
from graph.llm import acceptance
from graph.llm.markers import DraftedSegment
from tests.graph.llm.questions import EGRET, EGRET_SPEC, HERON, HERON_SPEC, RETURNS, asked

SOURCES = {item.evidence_id: item for item in (HERON_SPEC, EGRET_SPEC, RETURNS)}


def quotes(sentence: Sentence) -> list[str]:
    return [SOURCES[span.evidence_id].text[span.start : span.end] for span in sentence.spans]


def bound(*pieces: tuple[str, tuple[str, ...]]) -> Sentence:
    return acceptance.bound(tuple(DraftedSegment(*piece) for piece in pieces), asked(products=(HERON, EGRET)))


def test_a_claim_is_bound_to_the_sentence_that_holds_its_words() -> None:
    sentence = bound(("Tents can be returned within 30 days.", ("return_policy:tents",)))
    assert quotes(sentence) == ["Tents can be returned within 30 days of delivery if they are unused."]


def test_a_claim_over_two_sentences_is_bound_to_both() -> None:
    sentence = bound(("Unused tents can be returned within 30 days, opened pegs not.", ("return_policy:tents",)))
    assert quotes(sentence) == [RETURNS.text.split(". ")[0] + ".", "Opened pegs are not taken back."]


def test_a_source_that_holds_none_of_the_words_is_still_the_one_that_was_named() -> None:
    sentence = bound(("Something else entirely.", ("spec:heron-2",)))
    assert quotes(sentence) == ["Weight: 1.9 kg"]


def test_a_sentence_of_two_attributes_is_bound_to_both_entries() -> None:
    sentence = bound(("The Heron 2 weighs 1.9 kg and holds 2 people.", ("spec:heron-2",)))
    assert quotes(sentence) == ["Weight: 1.9 kg", "Capacity: 2 people"]


def test_a_sentence_that_names_another_product_than_its_source_is_about_the_one_it_names() -> None:
    sentence = bound(("The Egret 3 weighs 1.9 kg.", ("spec:heron-2",)))
    assert sentence.product_id == "egret-3"


def test_an_id_that_is_no_evidence_of_the_request_binds_nothing() -> None:
    sentence = bound(("The Heron 2 weighs 1.9 kg.", ("spec:unknown",)))
    assert sentence.spans == []
