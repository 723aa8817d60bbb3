"""What the reranker looks at: a few numbers a candidate, at hand once a question has been searched."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import coverage, words
from graph.parts import Encoder, Vectors
from graph.retrieval.reranking.candidate import Candidate, answer_of

KINDS = ("qa", "review", "spec", "description", "feature")
"""Kinds of evidence the training data tell apart; any other has none of these features."""
NAMES = ("cosine", "shared terms", "log words", "figures", *KINDS)
WHOLE_SHARE = 0.9
"""What the cosine of a whole Q&A is worth against that of its answer, chosen on train rows."""

_DIGIT = re.compile(r"\d")

Features = NDArray[np.float64]


def features(
    questions: Vectors, asked: frozenset[str], candidates: Sequence[Candidate], vectors: Vectors, encoder: Encoder
) -> Features:
    """Describe candidates, shape `(len(candidates), len(NAMES))`.

    Args:
        questions: Vectors of the wordings of one question; the nearest counts.
        asked: Terms of the question.
        candidates: What is described.
        vectors: Their vectors.
        encoder: Embeds the answers of Q&As.
    """
    answers = [answer_of(one) for one in candidates]
    cosines = _nearest(vectors, questions)
    parts = [place for place, one in enumerate(candidates) if one.source_type == "qa" and answers[place] != one.text]
    if parts:
        alone = _nearest(encoder.encode([answers[place] for place in parts]), questions)
        cosines[parts] = np.maximum(alone, WHOLE_SHARE * cosines[parts])
    shared = [coverage(asked, answer) for answer in answers]
    lengths = [np.log1p(len(words(answer))) for answer in answers]
    figures = [_DIGIT.search(answer) is not None for answer in answers]
    kinds = [[one.source_type == kind for one in candidates] for kind in KINDS]
    return np.array([cosines, shared, lengths, figures, *kinds], dtype=np.float64).T


def _nearest(vectors: Vectors, questions: Vectors) -> NDArray[np.float32]:
    return np.asarray(np.clip((vectors @ questions.T).max(axis=1), 0.0, 1.0), dtype=np.float32)
