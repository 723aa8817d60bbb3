"""A message is split into the questions it asks, and into nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.understanding.clauses import MAX_CLAUSES, Clause, coordinates, split_clauses


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
        (
            "Is it waterproof, can I return it and how long is the warranty?",
            ["Is it waterproof,", "can I return it", "and how long is the warranty?"],
        ),
        (
            "how much is it and is there a discount, also when will it arrive",
            ["how much is it", "and is there a discount,", "also when will it arrive"],
        ),
        ("is it vegan plus how much is it", ["is it vegan", "plus how much is it"]),
        (
            "got any? and if they're wide can I change them, from Ohio",
            ["got any?", "and if they're wide can I change them, from Ohio"],
        ),
        ("Can I return it, if it does not fit? Do you ship?", ["Can I return it, if it does not fit?", "Do you ship?"]),
        (
            "I have it and if I do it wrong it tears. Can I return it?",
            ["I have it and if I do it wrong it tears. Can I return it?"],
        ),
        ("Also, is it vegan? Plus: what size is it?", ["Also, is it vegan?", "Plus: what size is it?"]),
        ("is it in stock or when does it come back", ["is it in stock", "or when does it come back"]),
        ("is the Dome 2 warm and is the Dome 4?", ["is the Dome 2 warm", "and is the Dome 4?"]),
        ("I want to know the weight and if I can return it", ["I want to know the weight", "and if I can return it"]),
        (
            "can you tell me if it is loud and whether it folds",
            ["can you tell me if it is loud", "and whether it folds"],
        ),
        ("not sure if it fits, and also can i return it", ["not sure if it fits,", "and also can i return it"]),
        (
            "how do I turn it on and off and where is the manual",
            ["how do I turn it on and off", "and where is the manual"],
        ),
        (
            "does it wash and dry well and can I return it if not?",
            ["does it wash and dry well", "and can I return it if not?"],
        ),
    ],
)
def test_several_questions_are_split(message: str, expected: list[str]) -> None:
    assert texts(message) == expected


def test_the_other_side_of_a_question_is_said_beside_it() -> None:
    [first, second] = split_clauses("is a charger in the box or is it extra, and are they dual sim?")
    assert first == Clause("is a charger in the box or is it extra,", "is a charger in the box")
    assert second.question == "and are they dual sim?"


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
        "can I wash and dry it",
        "what are the pros and cons of it",
        "are the Dome 2 and the Dome 4 waterproof?",
        "do you ship to Norway and Sweden",
        "Can I return it, if it is opened?",
        "Tell me the price, if I buy two",
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
        ("price, weight and return policy of the Dome 2", ["price", "weight", "return policy of the Dome 2"]),
        ("is it waterproof, returnable and in stock?", ["is it waterproof", "returnable", "in stock?"]),
        ("the weight and also the warranty", ["the weight", "the warranty"]),
        ("red, size M", []),
        ("waterproof?", []),
        ("and then", []),
        ("a very long story about how I came to need a new tent and returnable", []),
    ],
)
def test_a_short_coordination_has_its_parts(text: str, expected: list[str]) -> None:
    assert coordinates(text) == expected
