"""What tells a question that goes on from one that changes the subject: what both mean, say and find."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import terms
from graph.parts import Vectors

NAMES = (
    "cosine to the mean of history",
    "highest cosine to a text of history",
    "share of terms that are new",
    "documents found by both",
    "best cosine found",
    "log of the number of terms",
    "history's cosine to what the question finds",
)
NEAREST = 10
"""Chunks that question and history are each asked for."""

Features = NDArray[np.float64]


class Passages(Protocol):
    """Where both are looked up."""

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest chunks: `(evidence_id, cosine)`, best first."""
        ...

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """Vectors of chunks, one a row."""
        ...


@dataclass(frozen=True, slots=True)
class Spoken:
    """A text and its vector."""

    text: str
    vector: Vectors


def features(question: Spoken, history: Sequence[Spoken], passages: Passages) -> Features:
    """Describe how a question relates to what was said before it, shape `(len(NAMES),)`.

    Args:
        question: As the user put it.
        history: All that was said before, at least one text.
        passages: What both are looked up in.
    """
    before = np.stack([one.vector for one in history])
    mean = before.mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), np.finfo(np.float32).tiny)
    asked = set(terms(question.text))
    new = asked - {term for one in history for term in terms(one.text)}
    own, others = passages.nearest(question.vector, NEAREST), passages.nearest(mean, NEAREST)
    return np.array(
        [
            question.vector @ mean,
            (before @ question.vector).max(),
            len(new) / len(asked) if asked else 0.0,
            _shared_documents(own, others),
            own[0][1] if own else 0.0,
            np.log1p(len(asked)),
            _lost(mean, own, others, passages),
        ],
        dtype=np.float64,
    )


def _shared_documents(own: Sequence[tuple[str, float]], others: Sequence[tuple[str, float]]) -> float:
    """Documents that both find, as a share of those that the one with fewer finds."""
    found, too = ({key.partition("#")[0] for key, _ in ranking} for ranking in (own, others))
    return len(found & too) / min(len(found), len(too)) if found and too else 0.0


def _lost(
    mean: Vectors, own: Sequence[tuple[str, float]], others: Sequence[tuple[str, float]], passages: Passages
) -> float:
    """History's mean cosine to what the question finds, less that to what history itself finds; never positive."""
    if not own or not others:
        return 0.0
    to_own = passages.vectors([key for key, _ in own]) @ mean
    return float(to_own.mean()) - float(np.mean([cosine for _, cosine in others]))
