"""Indirect questions: what is not known is told again in the words of the question."""

import pytest

from graph.language.indirect import indirect


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is it vegan?", "whether it is vegan"),
        ("and does it have a mosquito net", "whether it has a mosquito net"),
        ("Can kids use it?", "whether kids can use it"),
        ("will it fit my dog", "whether it will fit your dog"),
        ("How many seats does it have?", "how many seats it has"),
        ("what colour is it", "what colour it is"),
        ("What is it made of?", "what it is made of"),
        ("what is the sofa made of", "what the sofa is made of"),
        ("what is the return window?", "what the return window is"),
        ("how long does the scent last", "how long the scent lasts"),
    ],
)
def test_a_question_is_told_inside_a_sentence(question: str, told: str) -> None:
    assert indirect(question) == told


@pytest.mark.parametrize("question", ["Fuel consumption?", "Do you deliver to Norway?", "Can I pay later?", "vegan"])
def test_what_does_not_turn_is_not_told_again(question: str) -> None:
    assert indirect(question) == ""
