"""Where sentences begin and end."""

from typing import Self, SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.spans import LONGEST_SENTENCE, sentence_spans


class Counted(str):
    """A text that counts the characters taken out of it."""

    __slots__ = ("characters",)
    characters: int

    def __new__(cls, text: str) -> Self:
        counted = super().__new__(cls, text)
        counted.characters = 0
        return counted

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = super().__getitem__(key)
        self.characters += len(part)
        return part


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is light. It is strong.", ["It is light.", "It is strong."]),
        ("Is it light? Yes! Very.", ["Is it light?", "Yes!", "Very."]),
        ("Weight: 1.9 kg. Price: $9.99. Good.", ["Weight: 1.9 kg.", "Price: $9.99.", "Good."]),
        ("Use soap, e.g. Dew Bar. Rinse it.", ["Use soap, e.g. Dew Bar.", "Rinse it."]),
        ("Ask Dr. Smith. He knows.", ["Ask Dr. Smith.", "He knows."]),
        ("Made by J. R. Smith in Leeds.", ["Made by J. R. Smith in Leeds."]),
        ("I wear size M. Good fit.", ["I wear size M.", "Good fit."]),
        ("Use No. 5 bolts. Oh no. It broke.", ["Use No. 5 bolts.", "Oh no.", "It broke."]),
        ("It is 6 in. tall. It folds.", ["It is 6 in. tall.", "It folds."]),
        ("See https://a.example/b.html?x=1. Then call.", ["See https://a.example/b.html?x=1.", "Then call."]),
        ('She said "It works." Then she left.', ['She said "It works."', "Then she left."]),
        ("It folds (really!). It packs small.", ["It folds (really!).", "It packs small."]),
        ("It folds. (It does not pack small.) Buy it.", ["It folds.", "(It does not pack small.)", "Buy it."]),
        ("Well... it works... Mostly.", ["Well... it works...", "Mostly."]),
        ("Great!!! Love it", ["Great!!!", "Love it"]),
        ("これは軽い。とても丈夫！", ["これは軽い。", "とても丈夫！"]),  # noqa: RUF001 - full-width marks are meant
        ("1. Open the lid. Fill it.\n2. Close it.", ["1. Open the lid.", "Fill it.", "2. Close it."]),
        ("Weight: 1.9 kg\nDoors: 2", ["Weight: 1.9 kg", "Doors: 2"]),
        ("A line that goes on\nafter a break", ["A line that goes on", "after a break"]),
        ("Great.No space", ["Great.No space"]),
        ("U.S. orders ship fast. Others do not.", ["U.S. orders ship fast.", "Others do not."]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n\"')(e.g。…😀-"), max_size=80))
def test_spans_are_ordered_trimmed_and_leave_out_nothing_but_white_space(text: str) -> None:
    spans = sentence_spans(text)
    covered = set()
    previous_end = 0
    for start, end in spans:
        assert previous_end <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        assert "\n" not in text[start:end]
        covered |= set(range(start, end))
        previous_end = end
    assert all(position in covered or character.isspace() for position, character in enumerate(text))


@pytest.mark.parametrize("piece", ["It is light. ", "Use No. 5 bolts ", "Dr. ", "a. ", ". (", "Dr.   \t"])
def test_a_line_twice_as_long_is_looked_at_twice_as_much(piece: str) -> None:
    def steps(times: int) -> int:
        counted = Counted(piece * times + "x")
        sentence_spans(counted)
        return counted.characters

    assert steps(400) <= 2.5 * steps(200)


def test_a_sentence_without_end_is_cut_behind_a_clause_or_between_words() -> None:
    clauses = "it kept dry in the rain, " * 100
    parts = [clauses[slice(*at)] for at in sentence_spans(clauses)]
    assert all(len(part) <= LONGEST_SENTENCE and part.endswith("rain,") for part in parts)
    words = "word " * 500
    assert all(words[slice(*at)].endswith("word") for at in sentence_spans(words))
    assert " ".join(words[slice(*at)] for at in sentence_spans(words)) == words.strip()


def test_a_word_without_end_is_cut_where_it_must_be() -> None:
    text = "ab" * 1000
    assert sentence_spans(text) == [(0, 600), (600, 1200), (1200, 1800), (1800, 2000)]
