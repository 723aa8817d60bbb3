"""Training of the reranker: how rare word pieces are, what all token states share, and what a score means."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.retrieval.reranking.candidate import Candidate, answer_and_question
from graph.retrieval.reranking.packs import FULL, Answered, Judged
from graph.retrieval.reranking.reranker import LateInteractionReranker, TokenEncoder
from graph.retrieval.reranking.weights import RerankerWeights
from ingestion.encoder import VOCABULARY_SIZE, TokenStates

FOLDS = 5
_UNCALIBRATED = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained reranker and what it said about each question while that one was held back.

    Attributes:
        weights: Learnt from all rows.
        held_back: Probabilities of each row's candidates from the fold that did not see the row's product.
    """

    weights: RerankerWeights
    held_back: list[NDArray[np.float32]]


class _Read:
    """Token states of texts that have been read already."""

    def __init__(self, encoder: TokenEncoder, texts: Sequence[str]) -> None:
        distinct = list(dict.fromkeys(texts))
        self._states: Mapping[str, TokenStates] = dict(zip(distinct, encoder.token_states(distinct), strict=True))

    def token_states(self, texts: Sequence[str]) -> list[TokenStates]:
        return [self._states[text] for text in texts]


def fit(rows: Sequence[Judged], answered: Sequence[Answered], encoder: TokenEncoder) -> Fitted:
    """Learn from judged questions, and count words in others too.

    Args:
        rows: Judged questions.
        answered: Other questions with their evidence.
        encoder: Reads the texts.
    """
    others = _texts([(one.query, one.evidence) for one in answered])
    read = _Read(encoder, [*others, *(text for row in rows for text in _row_texts(row))])
    folds = np.array([fold_of(row.product) for row in rows])
    held_back: list[NDArray[np.float32]] = [np.zeros(0, dtype=np.float32)] * len(rows)
    for fold in np.unique(folds).tolist():
        weights = _fit([row for row, one in zip(rows, folds, strict=True) if one != fold], others, read)
        reranker = LateInteractionReranker(read, weights)
        for position in np.flatnonzero(folds == fold).tolist():
            held_back[position] = reranker.scores(rows[position].query, rows[position].candidates)
    return Fitted(_fit(rows, others, read), held_back)


def fold_of(product: str) -> int:
    """The fold that holds a product's rows back; by the product's id, so that a new row moves no other."""
    return zlib.crc32(product.encode()) % FOLDS


def _fit(rows: Sequence[Judged], others: Sequence[str], read: _Read) -> RerankerWeights:
    texts = [text for row in rows for text in _row_texts(row)]
    centre = np.mean([tokens.states.mean(axis=0) for tokens in read.token_states(texts)], axis=0)
    weights = RerankerWeights(_rarity(read.token_states([*texts, *others])), _rounded(centre), *_UNCALIBRATED)
    reranker = LateInteractionReranker(read, weights)
    scores = np.concatenate([reranker.similarities(row.query, row.candidates) for row in rows])
    full = np.concatenate([row.relevances == FULL for row in rows])
    return RerankerWeights(weights.piece_weights, weights.centre, *_calibration(scores, full))


def _rarity(texts: Sequence[TokenStates]) -> NDArray[np.float32]:
    """The square root of the inverse document frequency of each word piece: between rare words alone and all alike."""
    frequency = np.zeros(VOCABULARY_SIZE)
    for tokens in texts:
        frequency[np.unique(tokens.ids)] += 1
    idf = np.log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5))
    return _rounded(np.sqrt(idf))


def _calibration(scores: NDArray[np.float32], full: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and intercept of a logistic regression (Platt, 1999)."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    model = LogisticRegression(C=1e6).fit(scores[:, None].astype(np.float64), full)
    return round(float(model.coef_[0, 0]), 4), round(float(model.intercept_[0]), 4)


def _rounded(values: NDArray[np.floating]) -> NDArray[np.float32]:
    """As the file keeps it."""
    return values.astype(np.float16).astype(np.float32)


def _row_texts(row: Judged) -> list[str]:
    return _texts([(row.query, candidate) for candidate in row.candidates])


def _texts(pairs: Sequence[tuple[str, Candidate]]) -> list[str]:
    """All that is read of questions and their candidates, each text as often as it occurs but empty ones."""
    questions = dict.fromkeys(query for query, _ in pairs)
    said = [text for _, candidate in pairs for text in answer_and_question(candidate)]
    return [text for text in [*questions, *said] if text.strip()]
