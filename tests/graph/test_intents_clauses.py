"""A message is split into the questions it asks, and into nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.intents.clauses import MAX_CLAUSES, coordinates, split_clauses


def texts(message: str) -> list[str]:
    return [clause.text for clause in split_clauses(message)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("is it waterproof and can I return it?", ["is it waterproof", "and can I return it?"]),
        ("Is it warm? Can I wash it?", ["Is it warm?", "Can I wash it?"]),
        ("How heavy is it?How tall is it?", ["How heavy is it?", "How tall is it?"]),
        ("price? warranty?", ["price?", "warranty?"]),
        ("does it fold, and what does it weigh?", ["does it fold,", "and what does it weigh?"]),
        ("what is it made of and does Nimbus 3 have a hood", ["what is it made of", "and does Nimbus 3 have a hood"]),
        ("tell me what it weighs and how long it lasts", ["tell me what it weighs", "and how long it lasts"]),
        ("do you ship here\nis it in stock", ["do you ship here", "is it in stock"]),
        ("is it loud; how much is it", ["is it loud;", "how much is it"]),
    ],
)
def test_several_questions_are_split(message: str, expected: list[str]) -> None:
    assert texts(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "does it come in black and white?",
        "pros and cons",
        "is a salt and pepper mill included",
        "how do I turn it on and off",
        "find a tent that sleeps four and is waterproof",
        "a jacket which is warm and does not rustle",
        "can I buy it and return it later",
        "Which is lighter, the Dome 2 or the Dome 4?",
        "If I order today, when will it arrive?",
        "Is it approx. 5 kg heavy?",
        "I like the shoes but are they durable?",
        "which one is better and why",
        "no refund after eleven days; nobody answers",
        "kettle",
    ],
)
def test_one_question_stays_whole(message: str) -> None:
    assert texts(message) == [message]


def test_what_is_told_before_a_question_belongs_to_it() -> None:
    (clause,) = split_clauses("I bought the tent last month. Can I return it?")
    assert clause.text == "I bought the tent last month. Can I return it?"
    assert clause.question == "Can I return it?"


def test_what_is_told_after_the_last_question_belongs_to_it() -> None:
    (clause,) = split_clauses("Can I return it? I bought it last month.")
    assert clause.text == "Can I return it? I bought it last month."
    assert clause.question == "Can I return it?"


def test_a_flood_of_questions_is_cut_to_the_most_that_are_read() -> None:
    assert len(split_clauses("Is it warm? " * 50)) == MAX_CLAUSES


@given(st.text(max_size=300))
def test_nothing_that_was_said_is_lost(message: str) -> None:
    said = "".join("".join(clause.text.split()) for clause in split_clauses(message))
    assert said == "".join(message.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("waterproof and returnable?", ["waterproof", "returnable?"]),
        ("price, and warranty", ["price", "warranty"]),
        ("waterproof?", []),
        ("and then", []),
        ("a very long story about how I came to need a new tent and returnable", []),
    ],
)
def test_a_short_coordination_has_its_parts(text: str, expected: list[str]) -> None:
    assert coordinates(text) == expected
