"""The reranker that ships: which evidence it puts first, and what it makes of odd input."""

from collections.abc import Sequence

import numpy as np
import pytest

from graph.retrieval.reranking import Candidate, Reranker
from graph.retrieval.reranking.candidate import answer_of, plain_words
from graph.retrieval.reranking.features import NAMES
from graph.retrieval.reranking.reranker import describe
from ingestion.encoder import shared_encoder

NEAR = 5e-3
"""Batches run in bfloat16, so that a score may depend a little on what is read with it."""


@pytest.fixture(scope="module")
def reranker() -> Reranker:
    return Reranker(shared_encoder())


def best(reranker: Reranker, query: str, *texts: str) -> str:
    scores = reranker.scores(query, [Candidate(text) for text in texts])
    return texts[int(scores.argmax())]


@pytest.mark.parametrize(
    ("query", "answer", "others"),
    [
        ("How heavy is it?", "Weight: 2.1 kg", ["Colour: moss green", "We love this tent, it is great."]),
        (
            "Does the kettle switch itself off?",
            "It turns off automatically once the water boils.",
            ["The kettle holds 1.7 litres.", "The switch is a little stiff."],
        ),
        (
            "will it fit a 15 inch laptop?",
            "The padded sleeve takes notebooks of up to 15.6 inches.",
            ["The bag has two straps.", "Fits well, looks good.", "Laptop stand sold separately."],
        ),
        (
            "Can I wash the jacket in the machine?",
            "Machine washable at 30 degrees.",
            ["The jacket has four pockets.", "I can wear the jacket in the rain."],
        ),
    ],
)
def test_evidence_that_answers_comes_before_evidence_on_the_same_product(
    reranker: Reranker, query: str, answer: str, others: Sequence[str]
) -> None:
    assert best(reranker, query, *others, answer) == answer


def test_a_customers_question_and_answer_is_found_by_either(reranker: Reranker) -> None:
    asked = Candidate("Question: Is it waterproof?\nAnswer: Sure, mine has been through two winters.", "qa")
    said = Candidate("Question: Any trouble so far?\nAnswer: It is fully waterproof.", "qa")
    neither = Candidate("Question: Any trouble so far?\nAnswer: The zip got stuck once.", "qa")
    by_question, by_answer, by_nothing = reranker.scores("Is it waterproof?", [asked, said, neither])
    assert min(by_question, by_answer) > by_nothing


def test_an_answer_counts_the_same_before_and_after_its_question() -> None:
    first = Candidate("Question: Is it waterproof?\nAnswer: Yes, it is.", "qa")
    last = Candidate("Yes, it is. Question: Is it waterproof?", "qa")
    assert answer_of(first) == answer_of(last) == "Yes, it is."


def test_only_a_customers_answer_is_taken_apart() -> None:
    article = Candidate("Write to us. Question: where is my parcel?", "help_article")
    assert answer_of(article) == article.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('special_feature: { value:"dish washer safe" }', "special feature: dish washer safe"),
        ("item_weight: { unit:pounds, value:2.5 }", "item weight: pounds, 2.5"),
        (
            "item_weight: { unit:ounces, normalized_value:{ unit:pounds, value:0.5 }, value:8. }",
            "item weight: ounces, 8.",
        ),
        ('met: { value:"nsf" }; { value:"ul" }', "met: nsf ul"),
        ("Weight: 2,5 kg; colour: moss_green", "Weight: 2,5 kg; colour: moss_green"),
    ],
)
def test_a_serialised_attribute_is_read_as_words(text: str, words: str) -> None:
    assert plain_words(text) == words


def test_scores_are_probabilities_and_do_not_depend_on_order_or_on_what_was_read_before() -> None:
    candidates = [Candidate(f"The tent has {count} poles and weighs {count} kg.") for count in range(1, 9)]
    fresh = Reranker(shared_encoder())
    scores = fresh.scores("How heavy is it?", candidates)
    assert scores.dtype == np.float32
    assert np.all((scores >= 0) & (scores <= 1))
    assert np.array_equal(fresh.scores("How heavy is it?", candidates), scores)
    assert np.array_equal(fresh.scores("How heavy is it?", candidates[::-1]), scores[::-1])
    alone = [fresh.scores("How heavy is it?", [candidate])[0] for candidate in candidates]
    assert np.allclose(alone, scores, atol=NEAR)


def test_nothing_to_rank_has_no_scores(reranker: Reranker) -> None:
    assert reranker.scores("How heavy is it?", []).shape == (0,)


@pytest.mark.parametrize("query", ["", "   ", "?", "¿qué?", "🙂"])
def test_any_question_can_be_ranked(reranker: Reranker, query: str) -> None:
    assert np.isfinite(reranker.scores(query, [Candidate("Weight: 2 kg"), Candidate("")])).all()


def test_evidence_without_words_comes_last(reranker: Reranker) -> None:
    silent = [Candidate(""), Candidate(" \n"), Candidate("{}", "spec"), Candidate("Question: Answer:", "qa")]
    scores = reranker.scores("How heavy is it?", [Candidate("Weight: 2 kg"), *silent])
    assert scores[0] > scores[1:].max()


def test_a_figure_and_an_answers_own_words_count() -> None:
    candidates = [
        Candidate("Its weight is 2 kg."),
        Candidate("The weight is low."),
        Candidate("Question: weight?\nAnswer: No.", "qa"),
    ]
    encoder = shared_encoder()
    described = describe("What is the weight?", candidates, encoder)
    figures, shared = (described[:, NAMES.index(name)].tolist() for name in ("figures", "shared terms"))
    assert figures == [1.0, 0.0, 0.0]
    assert shared == [1.0, 1.0, 0.0]
