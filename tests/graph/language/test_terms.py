"""Terms: the words by which questions and evidence are compared."""

import pytest

from graph.language.terms import clauses_of, terms, words
from ingestion.stems import stem


@pytest.mark.parametrize(("one", "other"), [("returned", "returns"), ("batteries", "battery"), ("pegs", "peg")])
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != ()


def test_order_and_repetitions_are_kept() -> None:
    assert terms("Pegs, poles and pegs") == (stem("pegs"), stem("poles"), stem("pegs"))


def test_words_that_frame_a_question_are_no_terms() -> None:
    assert terms("Can you tell me what it is like with the pegs?") == (stem("pegs"),)


def test_accents_and_case_do_not_matter() -> None:
    assert words("Crème BRÛLÉE") == ["creme", "brulee"]


def test_thousands_separators_do_not_matter_and_decimals_do() -> None:
    assert words("3,000 mm") == words("3000 mm") == ["3000", "mm"]
    assert words("1.9 kg") == ["1.9", "kg"]


def test_a_figure_parts_from_its_unit() -> None:
    assert words("128GB") == words("128 GB")


def test_a_possessive_is_the_word_itself() -> None:
    assert terms("the tent's pegs") == terms("tent pegs") == terms("tent’s pegs")


@pytest.mark.parametrize(
    "text", ["what you've got in pegs", "the pegs that'd do", "pegs I couldn't get", "pegs, won't they"]
)
def test_what_a_framing_word_is_contracted_with_frames_as_well(text: str) -> None:
    assert terms(text) == (stem("pegs"),)


def test_clauses_are_cut_before_what_joins_them_and_nothing_is_lost() -> None:
    text = "Tents are sent by post, gas goes by road and stoves wait."
    assert clauses_of(text) == ("Tents are sent by post", ", gas goes by road", " and stoves wait.")
    assert clauses_of("Tents are sent by post.") == ("Tents are sent by post.",)
