"""What the reranker looks at: a few numbers a candidate, at hand once a question has been searched."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import coverage, words
from graph.retrieval.reranking.candidate import Candidate, answer_of

KINDS = ("qa", "review", "spec", "description", "feature")
"""Kinds of evidence the training data tell apart; any other has none of these features."""
NAMES = ("cosine", "shared terms", "log words", "figures", *KINDS)
WHOLE_SHARE = 0.9
"""What the cosine of a whole Q&A is worth against that of its answer, chosen on train rows."""

_DIGIT = re.compile(r"\d")

Features = NDArray[np.float64]


def features(asked: frozenset[str], candidates: Sequence[Candidate], cosines: NDArray[np.float32]) -> Features:
    """Describe candidates, shape `(len(candidates), len(NAMES))`.

    Args:
        asked: Terms of the question.
        candidates: What is described.
        cosines: Cosine of each to the question; of a Q&A that of its answer, where that is known.
    """
    answers = [answer_of(one) for one in candidates]
    shared = [coverage(asked, answer) for answer in answers]
    lengths = [np.log1p(len(words(answer))) for answer in answers]
    figures = [_DIGIT.search(answer) is not None for answer in answers]
    kinds = [[one.source_type == kind for one in candidates] for kind in KINDS]
    return np.array([cosines, shared, lengths, figures, *kinds], dtype=np.float64).T
