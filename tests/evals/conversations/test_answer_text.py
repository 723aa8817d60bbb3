"""The answer's text is its sentences in order, set in paragraphs, lists and tables."""

from collections.abc import Callable

import pytest

from graph.turn import Turn
from tests.invariants import unaccounted

TABLE = """Here is how they differ:

| | Kestrel 2 | Heron 2 |
| --- | --- | --- |
| Weight | 1.9 kg [1] | 2.4 kg [2] |
| Doors | not stated | 1 [3] |

Both have two poles [4]."""
CELLS = ["Here is how they differ:", "1.9 kg", "2.4 kg", "not stated", "1", "Both have two poles."]


def parted(make_turn: Callable[..., Turn], answer: str, texts: list[str]) -> list[str]:
    sentences = [{"text": text, "citations": [], "support": 1.0, "factual": False} for text in texts]
    return unaccounted(make_turn(answer=answer, sentences=sentences), "text")


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("It is light [1]. It is quick [2][3].", ["It is light.", "It is quick."]),
        ("Light [1], and quick [2].", ["Light, and quick."]),
        ("**For:** light [1].\n\n**Against:** thin [2].", ["**For:** light.", "**Against:** thin."]),
        ("Two fit:\n\n- Heron 2, $189 [1]\n- Wren 1, $129 [2]", ["Two fit:", "Heron 2, $189", "Wren 1, $129"]),
        ("1. Open it [1].\n2. Press 3. times [2].", ["Open it.", "Press 3. times."]),
        ("Two lines\nof one sentence [1].", ["Two lines\nof one sentence."]),
        ("- Islands: 2 days longer [1].", ["- Islands: 2 days longer."]),
        (TABLE, CELLS),
        ("", []),
    ],
)
def test_an_answer_made_of_its_sentences_is_accounted_for(
    make_turn: Callable[..., Turn], answer: str, texts: list[str]
) -> None:
    assert parted(make_turn, answer, texts) == []


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("It is light. It is quick.", ["It is quick.", "It is light."]),
        ("It is light. It is quick.", ["It is light."]),
        ("It is light. It is quick.", ["It is quick."]),
        ("It is light.", ["It is light.", "It is quick."]),
        ("It is  light.", ["It is heavy."]),
        (TABLE, [text for text in CELLS if text != "not stated"]),
        (TABLE, [*CELLS[:1], "Weight", *CELLS[1:]]),
        (TABLE, CELLS[:-1]),
    ],
)
def test_words_beside_the_sentences_and_sentences_that_are_not_shown_are_found(
    make_turn: Callable[..., Turn], answer: str, texts: list[str]
) -> None:
    assert len(parted(make_turn, answer, texts)) == 1
