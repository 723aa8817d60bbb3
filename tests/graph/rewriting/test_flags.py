"""The flags: what they read, and the examples and the training of their model."""

import json
from pathlib import Path

import pytest

from evals.training.flags import read_examples
from evals.training.intent_model import fit
from graph.rewriting.flags import BOTH, NEITHER, PERSON, QUESTION, FlagReader, Flags, flags_of
from ingestion.encoder import shared_encoder
from tests.graph.fakes import WordHashEncoder

READER = FlagReader(shared_encoder())
ROWS = Path(__file__).parents[2] / "routing.jsonl"


def plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


@pytest.mark.parametrize(
    ("distribution", "flags"),
    [
        ({QUESTION: 0.9, PERSON: 0.05, BOTH: 0.05, NEITHER: 0.0}, Flags(searchable=True, live_agent=False)),
        ({QUESTION: 0.3, PERSON: 0.3, BOTH: 0.4, NEITHER: 0.0}, Flags(searchable=True, live_agent=True)),
        ({QUESTION: 0.1, PERSON: 0.6, BOTH: 0.3, NEITHER: 0.0}, Flags(searchable=False, live_agent=True)),
        ({QUESTION: 0.2, PERSON: 0.1, BOTH: 0.1, NEITHER: 0.6}, Flags(searchable=False, live_agent=False)),
    ],
)
def test_a_flag_is_true_where_its_labels_together_are_likely(distribution: dict[str, float], flags: Flags) -> None:
    assert flags_of(distribution) == flags


@pytest.mark.parametrize("text", ["", "  ", "?!", "😀😀", "..."])
def test_without_a_word_nothing_is_wanted(text: str) -> None:
    assert READER.read(text) == Flags(searchable=False, live_agent=False)


def test_examples_are_the_same_in_every_run_and_have_all_labels() -> None:
    examples = read_examples()
    assert examples == read_examples()
    by_label = {label: sum(one.label == label for one in examples) for label in (QUESTION, PERSON, BOTH, NEITHER)}
    assert sum(by_label.values()) == len(examples)
    assert min(by_label.values()) >= 300


def test_messages_that_want_both_are_put_together_of_a_question_and_a_wish() -> None:
    wishes = {one.text for one in read_examples() if one.label == PERSON}
    assert any(one.label == BOTH and any(one.text.startswith(wish) for wish in wishes) for one in read_examples())


def test_no_row_of_the_evaluation_was_trained_on() -> None:
    rows = {plain(json.loads(line)["text"]) for line in ROWS.read_text(encoding="utf-8").splitlines()}
    assert not rows & {plain(example.text) for example in read_examples()}


def test_training_twice_gives_the_same_bytes() -> None:
    some = read_examples()[::8]
    first, again = (fit(some, WordHashEncoder()).weights.to_bytes() for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    "query",
    [
        "talk to a human",
        "Can someone call me?",
        "agent please",
        "I can't reach anyone",
        "I can’t get through to anybody",
        "human",
        "real person now!",
        "customer service",
        "let me speak with a manager",
        "Please connect me to your support team",
        "how do I speak to a real person?",
        "is there someone I can talk to?",
        "nobody answers",
        "get me a manager, this is ridiculous",
        "call me back please",
    ],
)
def test_only_a_person_is_wanted(query: str) -> None:
    assert READER.read(query) == Flags(searchable=False, live_agent=True)


@pytest.mark.parametrize(
    "query",
    [
        "no refund after 11 days; I can't reach anyone",
        "I want to talk to someone about my broken kettle",
        "My parcel never arrived. Can I speak to an agent?",
        "How do I return this? Or just let me talk to a person",
        "Is the cream safe for my baby? If you are not sure, please hand me over to a specialist.",
    ],
)
def test_a_person_and_an_answer_are_wanted(query: str) -> None:
    assert READER.read(query) == Flags(searchable=True, live_agent=True)


@pytest.mark.parametrize(
    "query",
    [
        "hi",
        "Hello!",
        "hi, I have a problem",
        "thanks a lot",
        "ok",
        "",
        "   ",
        "😀😀",
        "can you help me?",
        "how are you?",
    ],
)
def test_nothing_is_asked(query: str) -> None:
    assert READER.read(query) == Flags(searchable=False, live_agent=False)


@pytest.mark.parametrize(
    "query",
    [
        "what does live chat cost",
        "do real people review these products",
        "is it human hair",
        "how much weight does it support",
        "does the headset connect to a person's phone",
        "do you have customer support on weekends?",
        "is the cleaning agent safe for skin",
        "what do people say about it",
        "can it call emergency numbers",
        "how much is it?",
        "show me tents under $200",
        "hi, is the Kestrel 2 waterproof?",
        "does the manager app work offline",
        "can two people sleep in it",
        "need a cream for dry hands no perfume pls",
        "I've tried three of these and they all leak. I want my money back, not a repair.",
        "bought the blue one in a 9 but need a 10, can i just swap it or do i have to send it back? who pays for that",
    ],
)
def test_a_question_is_asked_and_no_person_wanted(query: str) -> None:
    assert READER.read(query) == Flags(searchable=True, live_agent=False)
