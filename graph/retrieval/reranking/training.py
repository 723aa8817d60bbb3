"""Training of the reranker: a logistic regression over the judged candidates of questions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder
from graph.retrieval.reranking.features import NAMES, Features
from graph.retrieval.reranking.packs import FULL, Judged
from graph.retrieval.reranking.reranker import describe
from graph.trained.folds import fold_of
from graph.trained.logistic import Logistic

REGULARISATION = 0.3
"""The C of the logistic regression, over standardised features."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained reranker and what it said about each question while that one was held back.

    Attributes:
        weights: Learnt from all rows.
        held_back: Probabilities of each row's candidates from the fold that did not see the row's product.
    """

    weights: Logistic
    held_back: list[NDArray[np.float32]]


def fit(rows: Sequence[Judged], encoder: Encoder) -> Fitted:
    """Learn from judged questions.

    Args:
        rows: Judged questions.
        encoder: Embeds the texts.
    """
    described = [describe(row.query, row.candidates, encoder) for row in rows]
    answers = [row.relevances == FULL for row in rows]
    folds = np.array([fold_of(row.product) for row in rows])
    held_back: list[NDArray[np.float32]] = [np.zeros(0, dtype=np.float32)] * len(rows)
    for fold in np.unique(folds).tolist():
        seen = np.flatnonzero(folds != fold).tolist()
        weights = _fit([described[place] for place in seen], [answers[place] for place in seen])
        for place in np.flatnonzero(folds == fold).tolist():
            held_back[place] = weights.probabilities(described[place])
    return Fitted(_fit(described, answers), held_back)


def _fit(described: Sequence[Features], answers: Sequence[NDArray[np.bool_]]) -> Logistic:
    return Logistic.fit(NAMES, np.concatenate(described), np.concatenate(answers), REGULARISATION)
