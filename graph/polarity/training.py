"""Training of the polarity model: two logistic regressions over questions with judged evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder
from graph.polarity.features import NAMES, Features
from graph.polarity.packs import Judged
from graph.polarity.polarity import seen
from graph.polarity.weights import PolarityWeights
from graph.trained.folds import fold_of
from graph.trained.logistic import Logistic

REGULARISATION = 0.1
"""The C of both regressions, over standardised features; chosen on train rows."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained model and what it said of each row while that one was held back.

    Attributes:
        weights: Learnt from all rows.
        held_back: Probabilities of yes and of no, shape `(rows, 2)`, from weights that saw no row of the same product
            and none of the same question.
    """

    weights: PolarityWeights
    held_back: NDArray[np.float32]


def fit(rows: Sequence[Judged], encoder: Encoder) -> Fitted:
    """Learn from judged evidence."""
    described = describe_all(rows, encoder)
    labels = np.array([row.label for row in rows])
    questions = np.array([row.question for row in rows])
    folds = np.array([fold_of(row.product) for row in rows])
    held_back = np.zeros((len(rows), 2), dtype=np.float32)
    for fold in np.unique(folds):
        out = folds == fold
        seen_rows = ~out & ~np.isin(questions, questions[out])
        held_back[out] = _fit(described[seen_rows], labels[seen_rows]).probabilities(described[out])
    return Fitted(_fit(described, labels), held_back)


def describe_all(rows: Sequence[Judged], encoder: Encoder) -> Features:
    """Features of rows, shape `(len(rows), len(NAMES))`."""
    return np.concatenate(
        [np.zeros((0, len(NAMES))), *(seen(row.question, [(row.text, row.source_type)], encoder) for row in rows)]
    )


def _fit(described: Features, labels: NDArray[np.str_]) -> PolarityWeights:
    decided = labels != "undecided"
    return PolarityWeights(
        decides=Logistic.fit(NAMES, described, decided, REGULARISATION),
        affirms=Logistic.fit(NAMES, described[decided], labels[decided] == "yes", REGULARISATION),
    )
