"""The recipe of continuity, which tells going on from a change of subject: from dialogues to weights and card."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.rows import RewritingRow, said_in
from evals.training.recipe import (
    Floats,
    Release,
    card_text,
    logistic,
    one_thread,
    pack_rows,
    splits,
    standardised,
    weights_table,
)
from graph.parts import Encoder, Vectors
from graph.retrieval.history import MODEL_PATH, NAMES, Spoken, exchanges_of, features
from graph.trained import Logistic
from ingestion.encoder import shared_encoder

DIALOGUES = Path("rewriting-canard/data.jsonl")
LICENCE = "CC BY-SA 4.0"


def read_questions(bench: Path) -> list[RewritingRow]:
    """Train rows of the pack that have a history.

    Raises:
        InputError: They are missing or malformed.
    """
    return [one for one in pack_rows(bench / DIALOGUES, RewritingRow, "train") if one.history]


def _dialogue(row: RewritingRow) -> str:
    """Which dialogue a question is from."""
    return row.id.rpartition("-")[0]


ANSWERS_A_CHUNK = 3


class DialoguePassages:
    """What was answered in the dialogues, a few answers a chunk, searched exactly."""

    def __init__(self, questions: Sequence[RewritingRow], encoder: Encoder) -> None:
        longest = {_dialogue(one): one for one in sorted(questions, key=lambda one: len(one.history))}
        chunks = {key: text for one in longest.values() for key, text in _chunks(one)}
        self._ids = {key: place for place, key in enumerate(chunks)}
        self._keys = list(chunks)
        self._vectors = encoder.encode(list(chunks.values()))

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:  # noqa: ARG002
        """The nearest chunks: `(id, cosine)`, best first."""
        cosines = self._vectors @ vector
        return [(self._keys[place], float(cosines[place])) for place in np.argsort(-cosines, kind="stable")[:limit]]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """Vectors of chunks, one a row."""
        return self._vectors[[self._ids[key] for key in evidence_ids]]


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions after their own history and, standing alone, after that of another dialogue.

    Attributes:
        features: Shape `(examples, len(NAMES))`.
        continues: Whether each goes on.
        dialogues: Which dialogue each is from.
    """

    features: Floats
    continues: NDArray[np.bool_]
    dialogues: Sequence[str]


def examples(questions: Sequence[RewritingRow], encoder: Encoder) -> Examples:
    """Two examples of each question, which has a history."""
    passages = DialoguePassages(questions, encoder)
    spoken = _spoken(questions, encoder)
    described, continues, dialogues = [], [], []
    for number, one in enumerate(questions):
        for text, history in ((one.query, one.history), (one.gold[0], _foreign(number, questions).history)):
            said = [spoken[earlier] for exchange in exchanges_of(said_in(history)) for earlier in exchange.texts]
            described.append(features(spoken[text], said, passages))
            continues.append(history is one.history)
            dialogues.append(_dialogue(one))
    return Examples(np.stack(described), np.array(continues), dialogues)


def _spoken(questions: Sequence[RewritingRow], encoder: Encoder) -> dict[str, Spoken]:
    """All texts by themselves, embedded at once."""
    said = (message.content for one in questions for message in one.history)
    texts = list(dict.fromkeys([*said, *(text for one in questions for text in (one.query, one.gold[0]))]))
    return {text: Spoken(text, vector) for text, vector in zip(texts, encoder.encode(texts), strict=True)}


def _foreign(number: int, questions: Sequence[RewritingRow]) -> RewritingRow:
    """A question of another dialogue: the first such one from half-way round the list."""
    turned = [*questions[len(questions) // 2 :], *questions[: len(questions) // 2]]
    others = [*turned[number:], *turned[:number]]
    return next(one for one in others if _dialogue(one) != _dialogue(questions[number]))


def _chunks(question: RewritingRow) -> list[tuple[str, str]]:
    answers = [message.content for message in question.history if message.role == "assistant"]
    starts = range(0, len(answers), ANSWERS_A_CHUNK)
    texts = ["\n".join([" ".join(question.context), *answers[start : start + ANSWERS_A_CHUNK]]) for start in starts]
    return [(f"{_dialogue(question)}#{number}", text) for number, text in enumerate(texts)]


CROSS_VALIDATED = "train, cross-validated"


def fit(rows: Floats, continues: NDArray[np.bool_]) -> Logistic:
    """Learn from described questions.

    Args:
        rows: Shape `(questions, len(NAMES))`.
        continues: Whether each goes on from what was said before it.
    """
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    described, centre, spread = standardised(rows)
    model = LogisticRegression().fit(described, continues)
    coefficients = model.coef_[0] / spread
    return logistic(NAMES, coefficients, model.intercept_[0] - coefficients @ centre)


SLOPE, OFFSET = 0.7, 1.8
"""From a probability to the gate of retrieval, chosen on train rows: to let go wrongly costs more than to keep."""


def as_gate(weights: Logistic) -> Logistic:
    """How far a question goes on, from how probable it is that it does."""
    return logistic(NAMES, SLOPE * np.array(weights.coefficients), SLOPE * weights.intercept + OFFSET)


def train(bench: Path, encoder: Encoder | None = None) -> Release:
    """Train on the train rows of the pack.

    Args:
        bench: The folder of the benchmark packs.
        encoder: Embeds the texts; the one that ships if None.

    Raises:
        InputError: The pack cannot be used.
    """
    made = examples(read_questions(bench), encoder or shared_encoder())
    goes_on = np.zeros(len(made.continues), dtype=np.bool_)
    with one_thread():
        for held, rest in splits(made.dialogues):
            others = fit(made.features[rest], made.continues[rest])
            goes_on[held] = others.log_odds(made.features[held]) > 0
        weights = as_gate(fit(made.features, made.continues))
    right = goes_on == made.continues
    metrics = {
        "accuracy": float(right.mean()),
        "kept": float(right[made.continues].mean()),
        "dropped": float(right[~made.continues].mean()),
        "n": len(right),
    }
    card = card_text("continuity", pack=DIALOGUES.parent, licence=LICENCE, weights=weights_table(weights), **metrics)
    return Release(MODEL_PATH, weights.to_bytes(), card, {CROSS_VALIDATED: metrics}, card_name="HISTORY_MODEL_CARD.md")
