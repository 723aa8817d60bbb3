"""History: what was said before, and how much of it belongs to the question.

A gated recurrence over the thread: a question that goes on keeps what counted before it, one that changes the subject
lets go of it, and so does all that follows. No fixed window of turns is glued to a question.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import terms
from graph.parts import Encoder, Vectors
from graph.state import WeightedText
from graph.trained import Logistic
from ingestion.source_types import SOURCE_TYPES


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the user said in one turn, and what was answered.

    Attributes:
        question: The user's words; empty where the assistant spoke first.
        answers: What the assistant said to it.
        continues: How far it went on from what was said before it, 0 to 1, where that is known already.
    """

    question: str
    answers: tuple[str, ...] = ()
    continues: float | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """All that was said, in order, but what is blank."""
        return tuple(text for text in (self.question, *self.answers) if text.strip())


def exchanges_of(history: Sequence[Mapping[str, str]]) -> list[Exchange]:
    """Group messages `{role, content}` by the user's turns, oldest first."""
    grouped: list[tuple[str, list[str]]] = []
    for message in history:
        if message["role"] == "user":
            grouped.append((message["content"], []))
        elif grouped:
            grouped[-1][1].append(message["content"])
        else:
            grouped.append(("", [message["content"]]))
    return [Exchange(question, tuple(answers)) for question, answers in grouped]


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
    """Where both are looked up: what a `KnowledgeBase` has for it."""

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
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


def features(
    question: Spoken, history: Sequence[Spoken], passages: Passages, source_types: AbstractSet[str] = SOURCE_TYPES
) -> Features:
    """Describe how a question relates to what was said before it, shape `(len(NAMES),)`.

    Args:
        question: As the user put it.
        history: All that was said before, at least one text.
        passages: What both are looked up in.
        source_types: Kinds of evidence that are looked up.
    """
    before = np.stack([one.vector for one in history])
    mean = before.mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), np.finfo(np.float32).tiny)
    asked = set(terms(question.text))
    new = asked - {term for one in history for term in terms(one.text)}
    own, others = (passages.dense(vector, source_types, NEAREST) for vector in (question.vector, mean))
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


MODEL_PATH = Path(__file__).with_name("history.json")


@cache
def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file, once.

    Raises:
        WeightsError: The file is missing or is not a continuity model.
    """
    return Logistic.load(path, NAMES, "footnote train continuity")


BASE_WEIGHT = 0.85
"""What a text counts beside the question where nothing changed the subject; chosen on train rows."""
LEAST_WEIGHT = 0.02
"""What counts less is not searched at all."""
REMEMBERED_EXCHANGES = 12


class Memory:
    """Weighs what was said before a question."""

    def __init__(self, encoder: Encoder, passages: Passages, source_types: AbstractSet[str] = SOURCE_TYPES) -> None:
        self._encoder, self._passages, self._source_types = encoder, passages, source_types

    def continues(self, question: str, history: Sequence[Exchange]) -> float:
        """How far a question goes on from what was said before it, 0 to 1; 1 where nothing was."""
        texts = [text for exchange in history[-REMEMBERED_EXCHANGES:] for text in exchange.texts]
        if not texts or not question.strip():
            return 1.0
        own, *before = self._encoder.encode([question, *texts])
        spoken = [Spoken(text, vector) for text, vector in zip(texts, before, strict=True)]
        described = features(Spoken(question, own), spoken, self._passages, self._source_types)
        return float(load().probabilities(described))

    def recall(self, continues: float, history: Sequence[Exchange]) -> list[WeightedText]:
        """What is searched beside a question, newest exchange first.

        Args:
            continues: How far the question goes on from the newest exchange.
            history: What was said before it, oldest first.
        """
        recalled: list[WeightedText] = []
        kept = continues
        latest = list(history[-REMEMBERED_EXCHANGES:])
        while latest and BASE_WEIGHT * kept >= LEAST_WEIGHT:
            exchange = latest.pop()
            recalled += [WeightedText(text, BASE_WEIGHT * kept) for text in exchange.texts]
            kept *= self.continues(exchange.question, latest) if exchange.continues is None else exchange.continues
        return recalled
