"""The model of the flags: its examples, its training, and what it reads of odd texts."""

import json
from pathlib import Path

import pytest

from evals.training.flags import read_examples
from evals.training.intent_model import fit
from graph.rewriting.flags import BOTH, NEITHER, PERSON, QUESTION, FlagReader, Flags, flags_of
from ingestion.encoder import shared_encoder
from tests.graph.fakes import WordHashEncoder

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
    assert FlagReader(shared_encoder()).read(text) == Flags(searchable=False, live_agent=False)


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
