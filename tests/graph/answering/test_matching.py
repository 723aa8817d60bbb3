"""Matching: which lines and sentences of the evidence a clause is about."""

from graph.answering.matching import SentenceMatch, attribute_lines, match_attributes, match_sentences
from tests.graph.answering.asking import clause
from tests.graph.fakes import BagOfWords
from tests.graph.shops import document

SHEET = document(
    "sheet", "Weight: 1.9 kg\nNotes\nPoles | Aluminium\nEmpty:\nHydrostatic head: 3,000 mm", kind="datasheet"
)


def test_attributes_are_lines_of_a_name_and_a_value() -> None:
    rows = attribute_lines(SHEET)
    assert [(name, value) for name, value, *_ in rows] == [
        ("Weight", "1.9 kg"),
        ("Poles", "Aluminium"),
        ("Hydrostatic head", "3,000 mm"),
    ]
    assert SHEET.text[rows[0][2] : rows[0][3]] == "Weight: 1.9 kg"


def test_a_sentence_with_a_colon_is_no_attribute() -> None:
    long = "This sentence is rather long and only at its very end it has one: a colon"
    assert attribute_lines(document("a", long)) == []


def test_the_attribute_asked_for_in_other_words_comes_first() -> None:
    encoder = BagOfWords()
    assert match_attributes(clause("How heavy is it?"), [SHEET], encoder)[0].name == "Weight"
    assert match_attributes(clause("Is it waterproof?"), [SHEET], encoder)[0].name == "Hydrostatic head"
    assert match_attributes(clause("Is it?"), [SHEET], encoder) == []


def test_the_sentence_that_says_it_comes_first_and_is_quoted_exactly() -> None:
    care = document("care", "Rinse the tent after rain. Dry the poles with a cloth. Never machine wash the fly.")
    [best, *_] = match_sentences(clause("Can I machine wash the fly?"), [(care, 0.5)], BagOfWords(), narrow=False)
    assert best.text == care.text[best.start : best.end] == "Never machine wash the fly."


def test_a_step_is_no_sentence_of_its_own() -> None:
    steps = document("steps", "Washing the fly:\n1. Wash the fly by hand.\n2. Dry it.")
    matches = match_sentences(clause("How do I wash the fly?"), [(steps, 0.5)], BagOfWords(), narrow=False)
    assert [match.text for match in matches] == ["Washing the fly:"]


def test_what_a_source_is_called_counts_for_all_its_sentences() -> None:
    named = document("a", "They last 30 days.", title="Refunds")
    other = document("b", "They last 30 days.", title="Delivery")
    matches = match_sentences(
        clause("How long do refunds take?"), [(other, 0.5), (named, 0.5)], BagOfWords(), narrow=False
    )
    assert matches[0].evidence is named


def test_a_rule_for_the_product_at_hand_comes_before_the_general_one() -> None:
    general = document("all", "Items can be returned.", kind="return_policy")
    tents = document("tents", "Items can be returned.", kind="return_policy", category="Tents")
    for narrow, first in ((True, tents), (False, general)):
        found = match_sentences(clause("Can I return it?"), [(general, 0.5), (tents, 0.5)], BagOfWords(), narrow=narrow)
        assert found[0].evidence is first


def test_a_sentence_that_two_chunks_of_a_section_share_matches_once_where_it_goes_on() -> None:
    shared = "Refunds take five days."
    first = document("returns#1", f"Send it back. {shared}", row_id="returns")
    second = document("returns#2", f"{shared} After that, call us.", row_id="returns")
    matches = match_sentences(
        clause("How long do refunds take?"), [(first, 0.9), (second, 0.5)], BagOfWords(), narrow=False
    )
    assert [match.evidence for match in matches if match.text == shared] == [second]


def test_what_two_sections_say_in_the_same_words_matches_in_each() -> None:
    sections = [
        document(f"a#{name}", "It takes five days.", row_id="a", section=name) for name in ("Refunds", "Delivery")
    ]
    found = match_sentences(
        clause("How long does it take?"), [(one, 0.5) for one in sections], BagOfWords(), narrow=False
    )
    assert [match.evidence.section for match in found] == ["Delivery", "Refunds"]


def test_what_cannot_be_of_use_however_near_it_comes_is_not_embedded() -> None:
    care = document("care", "Rinse the tent after rain. Never machine wash the fly.")
    encoder, best_scores = BagOfWords(), {}

    def useful(best: SentenceMatch) -> bool:
        best_scores[best.text] = best.score
        return best.text.startswith("Never")

    asked = clause("Can I machine wash the fly?")
    [match] = match_sentences(asked, [(care, 0.5)], encoder, narrow=False, useful=useful)
    assert encoder.encoded == [asked.text, match.text]
    everything = match_sentences(asked, [(care, 0.5)], encoder, narrow=False)
    assert match == everything[0]
    assert all(one.score <= best_scores[one.text] for one in everything)
