"""What the lexical judge asks of a sentence."""

import pytest

from evals.metrics.judges import LexicalJudge

TENT = "The fly is not waterproof. The tent weighs 1.9 kg, poles included, and costs $1,249."


@pytest.mark.parametrize(
    "sentence",
    [
        "The tent weighs 1.9 kg.",
        "The tent, with its poles, weighs 1.9 kg.",
        "The tent costs 1249.",
        "The fly isn't waterproof.",
        "The seller says: “The fly is not waterproof. The tent weighs 1.9 kg”.",
    ],
)
def test_what_the_evidence_says_is_supported(sentence: str) -> None:
    assert LexicalJudge().supports(sentence, [TENT])


@pytest.mark.parametrize(
    "sentence",
    [
        "The tent weighs 2.9 kg.",
        "The tent weighs 1 kg.",
        "The fly is waterproof.",
        "The tent does not weigh 1.9 kg.",
        "The tent glows in moonlight.",
    ],
)
def test_another_figure_negation_or_thing_is_not(sentence: str) -> None:
    assert not LexicalJudge().supports(sentence, [TENT])


def test_texts_support_together_what_none_does_alone() -> None:
    halves = ["Weight: 1.9 kg", "Capacity: 2 people"]
    sentence = "Weight 1.9 kg, capacity 2 people."
    assert LexicalJudge().supports(sentence, halves)
    assert not any(LexicalJudge().supports(sentence, [half]) for half in halves)


def test_what_is_known_needs_no_support() -> None:
    judge = LexicalJudge()
    assert judge.supports("The Kestrel 2 weighs 1.9 kg.", ["Weighs 1.9 kg"], "Kestrel 2")
    assert not judge.supports("The Kestrel 2 weighs 1.9 kg.", ["Weighs 1.9 kg"])


def test_no_evidence_supports_nothing() -> None:
    assert not LexicalJudge().supports("It is red.", [])
