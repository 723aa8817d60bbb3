"""From the benchmark packs to the two files that ship: the weights and their model card."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.answerability.features import NAMES, features
from graph.answerability.figures import Figures, measure
from graph.answerability.model_card import render_card
from graph.answerability.situations import Situation, judged_situations, single_situations
from graph.answerability.weights import MODEL_PATH
from graph.parts import Encoder
from graph.retrieval.caching import CachingEncoder
from graph.retrieval.reranking import training as reranking
from graph.retrieval.reranking.packs import read_answered, read_judged
from graph.retrieval.reranking.reranker import Reranker
from graph.trained.folds import fold_of
from graph.trained.logistic import Logistic
from graph.trained.release import Release

REGULARISATION = 0.3
SEED = 0


def train(encoder: Encoder, bench: Path) -> Release[Figures]:
    """Train on the train rows of the packs, and measure on the test rows too.

    Args:
        encoder: Embeds the texts.
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    encoder = CachingEncoder(encoder)
    rows, test = read_judged(bench, "train"), read_judged(bench, "test")
    fitted = reranking.fit(rows, encoder)
    reranker = Reranker(encoder, fitted.weights)
    judged = list(judged_situations(rows, fitted.held_back, np.random.default_rng(SEED)))
    situations = judged + list(single_situations(read_answered(bench), reranker, encoder))
    weights = _fit(situations)
    held_back = _held_back(situations)
    unseen = [reranker.scores(row.query, row.candidates) for row in test]
    tested = list(judged_situations(test, unseen, np.random.default_rng(SEED)))
    figures = {
        "train, cross-validated": measure(situations, held_back),
        "of these, as the pack has them": _of_whole(situations, held_back),
        "test": measure(tested, _probabilities(weights, tested)),
        "test, as the pack has them": _of_whole(tested, _probabilities(weights, tested)),
    }
    return Release(MODEL_PATH, weights.to_bytes(), render_card(weights, len(situations), figures), figures)


def _of_whole(situations: Sequence[Situation], probabilities: NDArray[np.float32]) -> Figures:
    whole = np.array([one.whole for one in situations])
    return measure([one for one in situations if one.whole], probabilities[whole])


def _held_back(situations: Sequence[Situation]) -> NDArray[np.float32]:
    folds = np.array([fold_of(one.product) for one in situations])
    probabilities = np.zeros(len(situations), dtype=np.float32)
    for fold in np.unique(folds).tolist():
        weights = _fit([one for one, own in zip(situations, folds, strict=True) if own != fold])
        held = [one for one, own in zip(situations, folds, strict=True) if own == fold]
        probabilities[folds == fold] = _probabilities(weights, held)
    return probabilities


def _fit(situations: Sequence[Situation]) -> Logistic:
    answers = np.array([one.answers for one in situations])
    return Logistic.fit(NAMES, _described(situations), answers, REGULARISATION)


def _probabilities(weights: Logistic, situations: Sequence[Situation]) -> NDArray[np.float32]:
    return weights.probabilities(_described(situations))


def _described(situations: Sequence[Situation]) -> NDArray[np.float64]:
    return np.stack([features(one.relevances) for one in situations])
