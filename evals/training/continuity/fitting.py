"""Training of continuity: a question after its own history goes on, its standalone form after another's does not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.training.continuity.packs import DialogueQuestion
from graph.parts import Encoder, Vectors
from graph.retrieval.history.memory import NAMES, Spoken, exchanges_of, features
from graph.trained import Logistic, fold_of

ANSWERS_A_CHUNK = 3


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained model, and what held-back questions got from models that did not see their dialogues.

    Attributes:
        weights: Learnt from all rows.
        log_odds: One entry an example.
        continues: Whether the example goes on.
    """

    weights: Logistic
    log_odds: NDArray[np.float64]
    continues: NDArray[np.bool_]


class DialoguePassages:
    """What was answered in the dialogues, a few answers a chunk, searched exactly."""

    def __init__(self, questions: Sequence[DialogueQuestion], encoder: Encoder) -> None:
        longest = {one.dialogue: one for one in sorted(questions, key=lambda one: len(one.history))}
        chunks = {key: text for one in longest.values() for key, text in _chunks(one)}
        self._ids = {key: place for place, key in enumerate(chunks)}
        self._keys = list(chunks)
        self._vectors = encoder.encode(list(chunks.values()))

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest chunks: `(id, cosine)`, best first."""
        cosines = self._vectors @ vector
        return [(self._keys[place], float(cosines[place])) for place in np.argsort(-cosines, kind="stable")[:limit]]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """Vectors of chunks, one a row."""
        return self._vectors[[self._ids[key] for key in evidence_ids]]


def fit(questions: Sequence[DialogueQuestion], encoder: Encoder) -> Fitted:
    """Learn from questions of several dialogues.

    Args:
        questions: Questions with a history.
        encoder: Embeds the texts.
    """
    passages = DialoguePassages(questions, encoder)
    spoken = _spoken(questions, encoder)
    described, continues, folds = [], [], []
    for number, one in enumerate(questions):
        for text, history in ((one.query, one.history), (one.standalone, _foreign(number, questions).history)):
            said = [spoken[earlier] for exchange in exchanges_of(history) for earlier in exchange.texts]
            described.append(features(spoken[text], said, passages))
            continues.append(history is one.history)
            folds.append(fold_of(one.dialogue))
    every, answers, of = np.stack(described), np.array(continues), np.array(folds)
    log_odds = np.zeros(len(answers))
    for fold in np.unique(of).tolist():
        weights = Logistic.fit(NAMES, every[of != fold], answers[of != fold])
        log_odds[of == fold] = weights.log_odds(every[of == fold])
    return Fitted(Logistic.fit(NAMES, every, answers), log_odds, answers)


def _spoken(questions: Sequence[DialogueQuestion], encoder: Encoder) -> dict[str, Spoken]:
    """All texts by themselves, embedded at once."""
    said = (message["content"] for one in questions for message in one.history)
    texts = list(dict.fromkeys([*said, *(text for one in questions for text in (one.query, one.standalone))]))
    return {text: Spoken(text, vector) for text, vector in zip(texts, encoder.encode(texts), strict=True)}


def _foreign(number: int, questions: Sequence[DialogueQuestion]) -> DialogueQuestion:
    """A question of another dialogue: the first such one from half-way round the list."""
    turned = [*questions[len(questions) // 2 :], *questions[: len(questions) // 2]]
    others = [*turned[number:], *turned[:number]]
    return next(one for one in others if one.dialogue != questions[number].dialogue)


def _chunks(question: DialogueQuestion) -> list[tuple[str, str]]:
    answers = [message["content"] for message in question.history if message["role"] == "assistant"]
    starts = range(0, len(answers), ANSWERS_A_CHUNK)
    texts = ["\n".join([question.title, *answers[start : start + ANSWERS_A_CHUNK]]) for start in starts]
    return [(f"{question.dialogue}#{number}", text) for number, text in enumerate(texts)]
