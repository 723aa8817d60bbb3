"""Reading a question: its clauses, what an answer to each must be about, and what form it must have."""

import pytest

from graph.language.locale import table
from graph.understanding.parsed_question import Form, ParsedQuestion, analyse
from ingestion.stems import stem


def test_words_of_the_product_are_not_what_is_asked_for() -> None:
    asked = analyse("How waterproof is the Tarn Ridge tent?", ("Tarn Ridge",))
    assert asked.specific == {stem("waterproof"), stem("tent")}


def test_a_misspelt_product_is_not_what_is_asked_for_either() -> None:
    assert analyse("Is the Fellwik waterproof?", ("Fellwick",)).specific == {stem("waterproof")}


def test_words_that_only_measure_need_not_be_in_an_answer() -> None:
    asked = analyse("What is the size of the pegs?", ())
    assert stem("size") in asked.terms
    assert asked.specific == {stem("pegs")}


def test_a_condition_is_searched_but_need_not_be_answered() -> None:
    asked = analyse("Can I return it if the seal is broken?", ())
    assert stem("seal") in asked.terms
    assert asked.specific == {stem("return")}


def test_what_stands_beside_a_question_need_not_be_answered() -> None:
    asked = analyse("My torso is 43 cm, which strap do I choose?", (), "which strap do I choose?")
    assert stem("torso") in asked.terms - asked.specific
    assert stem("strap") in asked.specific


@pytest.mark.parametrize(
    "text", ["Is it waterproof?", "and does it have pegs?", "can't I return it?", "Ok, has it a door?"]
)
def test_a_question_for_yes_or_no(text: str) -> None:
    assert analyse(text, ()).yes_no


@pytest.mark.parametrize("text", ["How heavy is it?", "Which colours are there?", "the weight"])
def test_a_question_for_something_else(text: str) -> None:
    assert not analyse(text, ()).yes_no


def test_negation_and_figures_are_recognised() -> None:
    assert analyse("Is it not waterproof?", ()).negated
    assert analyse("Does it come without pegs?", ()).negated
    assert not analyse("Is it waterproof?", ()).negated
    assert analyse("How many doors are there?", ()).quantity


def test_how_much_asks_for_the_price() -> None:
    assert stem("price") in analyse("How much is it?", ()).terms
    assert stem("price") not in analyse("How much does it weigh?", ()).terms


def test_the_unit_an_answer_is_wanted_in_is_not_asked_about() -> None:
    assert analyse("How heavy is it in pounds?", ()).specific == analyse("How heavy is it?", ()).specific


def test_coverage_counts_specific_terms_more() -> None:
    asked = analyse("What is the size of the pegs?", ())
    assert asked.coverage(frozenset({stem("pegs")})) == 0.75
    assert asked.coverage(frozenset({stem("size")})) == 0.25
    assert asked.coverage(asked.terms) == 1.0
    assert asked.uncovered(frozenset({stem("size")})) == {stem("pegs")}


def test_when_inside_a_clause_asks_for_no_time() -> None:
    assert analyse("When is it back?", ()).quantity
    assert analyse("Until when can I return it?", ()).quantity
    assert not analyse("Is it loud when it boils?", ()).quantity


def test_one_charge_says_that_the_battery_is_used_up() -> None:
    asked = analyse("How far does it go on one charge?", ())
    assert stem("charge") not in asked.terms


def test_of_a_name_that_begins_with_another_no_word_is_asked_for() -> None:
    asked = analyse("What are the differences between the Nova and the Nova Plus?", ("Nova", "Nova Plus"))
    assert asked.specific == set()


def test_a_question_is_read_clause_by_clause_and_as_a_whole() -> None:
    parsed = ParsedQuestion.of("Is the Nova waterproof? And how do I wash it?", ["Nova"])
    assert [asked.question for asked in parsed.clauses] == ["Is the Nova waterproof?", "And how do I wash it?"]
    assert [asked.yes_no for asked in parsed.clauses] == [True, False]
    assert Form.PROCEDURE in parsed.clauses[1].forms
    assert parsed.whole.terms == parsed.clauses[0].terms | parsed.clauses[1].terms


def test_what_is_asked_for_in_one_breath_is_read_part_by_part() -> None:
    parsed = ParsedQuestion.of("Is the Salt and Pepper waterproof and returnable?", ["Salt and Pepper"])
    assert [part.text for part in parsed.parts] == ["Is it waterproof", "returnable?"]
    assert ParsedQuestion.of("Is it waterproof and can I return it?").parts == ()


def test_names_side_by_side_are_no_coordination() -> None:
    [asked] = ParsedQuestion.of("Are the Nova and the Nova Mini light?", ["Nova", "Nova Mini"]).clauses
    assert asked.text == "Are they light?"


def test_a_question_is_read_again_only_about_something_else() -> None:
    parsed = ParsedQuestion.of("Can I return the Nova to Germany?", ["Nova"])
    assert parsed.naming(["Nova"]) is parsed
    assert stem("germany") in parsed.whole.terms - parsed.naming(["Nova", "Germany"]).whole.terms


def test_every_form_has_a_pattern() -> None:
    assert set(table("forms")) == set(Form)


@pytest.mark.parametrize("question", ["How do I do it?", "How long does it take?"])
def test_a_question_that_names_nothing_goes_on_from_the_one_before(question: str) -> None:
    first, second, third = ParsedQuestion.of(f"Can I use vinegar on the Nova? {question} And is it loud?").clauses
    assert "vinegar" in second.terms
    assert second.question == question
    assert "vinegar" not in third.terms
    assert first.text == "Can I use vinegar on the Nova?"


def test_a_question_for_the_price_goes_on_from_nothing() -> None:
    _, price = ParsedQuestion.of("Can I use vinegar on the Nova? And how much is it?").clauses
    assert "vinegar" not in price.terms
