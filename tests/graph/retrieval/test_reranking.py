"""The reranker that ships: which evidence it puts first, and what it makes of odd input."""

from collections.abc import Sequence

import numpy as np
import pytest

from graph.retrieval.reranking import Candidate, LateInteractionReranker
from graph.retrieval.reranking.candidate import answer_and_question, plain_words
from graph.retrieval.reranking.weights import MODEL_PATH, RerankerWeights
from ingestion.encoder import TokenStates, shared_encoder

KILOBYTES = 200
"""Trained parts ship together with the code; this one is small among them."""
NEAR = 5e-3
"""Batches run in bfloat16, so that a score may depend a little on what is read with it."""


@pytest.fixture(scope="module")
def reranker() -> LateInteractionReranker:
    return LateInteractionReranker(shared_encoder())


def best(reranker: LateInteractionReranker, query: str, *texts: str) -> str:
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
    reranker: LateInteractionReranker, query: str, answer: str, others: Sequence[str]
) -> None:
    assert best(reranker, query, *others, answer) == answer


def test_a_customers_question_and_answer_is_found_by_either(reranker: LateInteractionReranker) -> None:
    asked = Candidate("Question: Is it waterproof?\nAnswer: Sure, mine has been through two winters.", "qa")
    said = Candidate("Question: Any trouble so far?\nAnswer: It is fully waterproof.", "qa")
    neither = Candidate("Question: Any trouble so far?\nAnswer: The zip got stuck once.", "qa")
    by_question, by_answer, by_nothing = reranker.scores("Is it waterproof?", [asked, said, neither])
    assert min(by_question, by_answer) > by_nothing


def test_an_answer_counts_the_same_before_and_after_its_question() -> None:
    first = Candidate("Question: Is it waterproof?\nAnswer: Yes, it is.", "qa")
    last = Candidate("Yes, it is. Question: Is it waterproof?", "qa")
    assert answer_and_question(first) == answer_and_question(last) == ("Yes, it is.", "Is it waterproof?")


def test_only_a_customers_answer_is_taken_apart() -> None:
    article = Candidate("Write to us. Question: where is my parcel?", "help_article")
    assert answer_and_question(article) == (article.text, "")


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
    fresh = LateInteractionReranker(shared_encoder())
    scores = fresh.scores("How heavy is it?", candidates)
    assert scores.dtype == np.float32
    assert np.all((scores >= 0) & (scores <= 1))
    assert np.array_equal(fresh.scores("How heavy is it?", candidates), scores)
    assert np.array_equal(fresh.scores("How heavy is it?", candidates[::-1]), scores[::-1])
    alone = [fresh.scores("How heavy is it?", [candidate])[0] for candidate in candidates]
    assert np.allclose(alone, scores, atol=NEAR)


def test_nothing_to_rank_has_no_scores(reranker: LateInteractionReranker) -> None:
    assert reranker.scores("How heavy is it?", []).shape == (0,)


@pytest.mark.parametrize("query", ["", "   ", "?", "¿qué?", "🙂"])
def test_any_question_can_be_ranked(reranker: LateInteractionReranker, query: str) -> None:
    assert np.isfinite(reranker.scores(query, [Candidate("Weight: 2 kg"), Candidate("")])).all()


def test_evidence_without_words_comes_last(reranker: LateInteractionReranker) -> None:
    silent = [Candidate(""), Candidate(" \n"), Candidate("{}", "spec"), Candidate("Question: Answer:", "qa")]
    scores = reranker.scores("How heavy is it?", [Candidate("Weight: 2 kg"), *silent])
    assert scores[0] > scores[1:].max()


class CountingEncoder:
    """Reads each word as a direction of its own, and counts the texts it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self._words: dict[str, int] = {}

    def token_states(self, texts: Sequence[str]) -> list[TokenStates]:
        self.given.extend(texts)
        return [
            self._states([self._words.setdefault(word, len(self._words)) for word in text.split()]) for text in texts
        ]

    @staticmethod
    def _states(ids: Sequence[int]) -> TokenStates:
        return TokenStates(np.array(ids, dtype=np.int64), np.eye(16, dtype=np.float32)[list(ids)])


def plain_weights(**counting: float) -> RerankerWeights:
    """All words count 1 but those given, which are numbered in their order."""
    weights = np.ones(16, dtype=np.float32)
    weights[: len(counting)] = list(counting.values())
    return RerankerWeights(weights, np.zeros(16, dtype=np.float32), 1.0, 0.0)


def test_a_score_is_the_mean_of_how_near_the_words_come_by_how_much_each_counts_and_how_near_the_wholes_are() -> None:
    reranker = LateInteractionReranker(CountingEncoder(), plain_weights(rare=3.0, common=1.0))
    texts = ["common", "a rare thing", "rare common"]
    found = reranker.similarities("rare common", [Candidate(text) for text in texts])
    words, wholes = np.array([0.25, 0.75, 1.0]), np.array([2**-0.5, 6**-0.5, 1.0])
    assert found.tolist() == pytest.approx(((words + wholes) / 2).tolist(), abs=1e-3)


def test_evidence_is_read_once_and_forgotten_when_there_is_too_much_of_it() -> None:
    encoder = CountingEncoder()
    reranker = LateInteractionReranker(encoder, plain_weights(), remembered=6)
    reranker.scores("q", [Candidate("one two"), Candidate("one two"), Candidate("three")])
    reranker.scores("q", [Candidate("three"), Candidate("one two")])
    assert encoder.given == ["q", "one two", "three", "q"]
    reranker.scores("q", [Candidate("four five six")])
    reranker.scores("q", [Candidate("three")])
    assert encoder.given[4:] == ["q", "four five six", "q", "three"]


def test_evidence_too_long_to_be_remembered_is_ranked_all_the_same() -> None:
    reranker = LateInteractionReranker(CountingEncoder(), plain_weights(), remembered=2)
    few, many = reranker.similarities("one", [Candidate("one"), Candidate("one two three")])
    assert few > many > 0


def test_the_shipped_weights_are_small() -> None:
    assert MODEL_PATH.stat().st_size < KILOBYTES * 1000
