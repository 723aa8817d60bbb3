"""What answerability learns from: searches that found an answer, and the same ones with the answers taken out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder
from graph.retrieval.reranking.packs import FULL, Answered, Judged
from graph.retrieval.reranking.reranker import Reranker

DRAWN = 2
"""How often a question is told with fewer candidates, with an answer among them and without."""
LEAST_LEFT = 3
LEAST_DRAWN = 2
OTHER_MATTERS = 2
ALIKE = 0.6
"""Cosine from which on two questions ask the same."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What was found for a question, and whether the best of it answers.

    Attributes:
        relevances: The reranker's probabilities, best first.
        product: Id of the product; rows of one are held back together.
        whole: Whether nothing was taken out of what the data give.
        answers: Whether the best does.
    """

    relevances: tuple[float, ...]
    product: str
    whole: bool
    answers: bool


def judged_situations(
    rows: Sequence[Judged], scores: Sequence[NDArray[np.float32]], rng: np.random.Generator
) -> Iterator[Situation]:
    """Each question as it is, with fewer candidates, and with all that answers or helps taken out.

    Args:
        rows: Judged questions.
        scores: Relevances of their candidates, by a reranker that did not learn from the row.
        rng: Draws the candidates that stay.
    """
    for row, relevances in zip(rows, scores, strict=True):
        every = np.arange(len(row.candidates))
        yield _situation(row, relevances, every, whole=True)
        useless = np.flatnonzero(row.relevances == 0)
        full = np.flatnonzero(row.relevances == FULL)
        if not len(full) or len(useless) < LEAST_LEFT:
            continue
        for _ in range(DRAWN):
            size = int(rng.integers(LEAST_DRAWN, len(useless) + 1))
            yield _situation(row, relevances, rng.choice(useless, size, replace=False), whole=False)
            one = rng.choice(full, 1)
            others = rng.choice(np.setdiff1d(every, one), size - 1, replace=False)
            yield _situation(row, relevances, np.concatenate([one, others]), whole=False)


def single_situations(rows: Sequence[Answered], reranker: Reranker, encoder: Encoder) -> Iterator[Situation]:
    """Questions with one piece of evidence: the one that answers, or one that answers another of the product."""
    questions = encoder.encode([row.query for row in rows])
    for place, row in enumerate(rows):
        others = [
            index
            for index, other in enumerate(rows)
            if other.product == row.product
            and other.evidence.text != row.evidence.text
            and float(questions[index] @ questions[place]) < ALIKE
        ]
        shown = [row.evidence, *(rows[index].evidence for index in others[:OTHER_MATTERS])]
        scores = reranker.scores(row.query, shown)
        for index, score in enumerate(scores.tolist()):
            yield Situation((score,), row.product, whole=False, answers=index == 0)


def _situation(row: Judged, relevances: NDArray[np.float32], chosen: NDArray[np.int64], *, whole: bool) -> Situation:
    ranked = chosen[np.argsort(-relevances[chosen], kind="stable")]
    answers = bool(row.relevances[ranked[0]] == FULL)
    return Situation(tuple(relevances[ranked].tolist()), row.product, whole=whole, answers=answers)
