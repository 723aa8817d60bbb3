"""Matching: which attributes of the evidence a clause is about."""

from graph.answering.matching import attribute_lines, match_attributes
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
