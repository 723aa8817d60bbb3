"""Deciding: which edits bring a question nearer to standing alone, as two models expect."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.rewriting.learned.edits import Rewriting, rendered
from graph.rewriting.learned.features.candidate import candidate_features
from graph.rewriting.learned.features.edit import Additions, fill_features, slot_features
from graph.rewriting.learned.features.question import Features, question_features
from graph.rewriting.learned.reading.candidates import Candidate
from graph.rewriting.learned.reading.passages import Said
from graph.rewriting.learned.reading.situation import Situation, read_situation
from graph.trained.trees import Floats, Trees

MAX_ADDITIONS = 2


@dataclass(frozen=True, slots=True)
class Ranker:
    """What an edit is expected to gain, in token F1.

    Attributes:
        fills: For a candidate in place of a slot.
        additions: For a candidate that is added.
    """

    fills: Trees
    additions: Trees


@dataclass(frozen=True, slots=True)
class Options:
    """Candidates for one edit.

    Attributes:
        candidates: What may be put in.
        names: Names of the features.
        rows: Features of each, shape `(candidates, features)`.
    """

    candidates: list[Candidate]
    names: tuple[str, ...]
    rows: Floats

    def best(self, trees: Trees) -> Candidate | None:
        """The candidate that is expected to gain most; None where all are expected to lose."""
        if not self.candidates:
            return None
        gains = trees.predict(self.rows)
        best = int(gains.argmax())
        return self.candidates[best] if gains[best] > 0 else None


class Described:
    """A situation and its features.

    Args:
        situation: The question in its conversation.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self._question = question_features(situation)
        self._each = candidate_features(situation)
        self._rows = _matrix(self._each)

    def fills(self, done: Sequence[Candidate | None]) -> Options:
        """What may stand in the next slot, after some were decided."""
        slot, candidates = self.situation.slots[len(done)], self.situation.candidates
        chosen = [
            index
            for index, candidate in enumerate(candidates)
            if slot.admits(candidate) and not self._taken(candidate, done)
        ]
        own = [fill_features(self.situation, done, candidates[index]) for index in chosen]
        return self._options(chosen, {**self._question, **slot_features(self.situation, done)}, own)

    def additions(self, so_far: Rewriting) -> Options:
        """What may be added to what was put in already."""
        added = Additions(self.situation, so_far, rendered(self.situation, so_far))
        own = [added.features(*pair) for pair in zip(self.situation.candidates, self._each, strict=True)]
        return self._options(range(len(own)), {**self._question, **added.shared}, own)

    def _options(self, chosen: Sequence[int], shared: Features, own: Sequence[Features]) -> Options:
        if not chosen:
            return Options([], (), np.zeros((0, 0), dtype=np.float32))
        alike = np.broadcast_to(np.array(list(shared.values()), dtype=np.float32), (len(chosen), len(shared)))
        return Options(
            candidates=[self.situation.candidates[index] for index in chosen],
            names=(*shared, *self._each[0], *own[0]),
            rows=np.hstack([alike, self._rows[list(chosen)], _matrix(own)]),
        )

    def _taken(self, candidate: Candidate, done: Sequence[Candidate | None]) -> bool:
        """Whether a candidate stands for a word of another kind already: he is not it."""
        slots = self.situation.slots
        words = frozenset(candidate.key)
        return any(
            other is not None and slots[index].kind != slots[len(done)].kind and not words.isdisjoint(other.key)
            for index, other in enumerate(done)
        )


def decide(described: Described, ranker: Ranker) -> Rewriting:
    """Fill the slots one by one, then add, each time what is expected to gain most."""
    fills: list[Candidate | None] = []
    for _ in described.situation.slots:
        fills.append(described.fills(fills).best(ranker.fills))
    so_far = Rewriting(tuple(fills))
    for _ in range(MAX_ADDITIONS):
        added = described.additions(so_far).best(ranker.additions)
        if added is None:
            break
        so_far = Rewriting(so_far.fills, (*so_far.additions, added))
    return so_far


def rewritten(ranker: Ranker, query: str, history: Sequence[Said], context: Sequence[str]) -> str:
    """The question as it stands alone; byte for byte the same where it does already."""
    situation = read_situation(query, history, context)
    return rendered(situation, decide(Described(situation), ranker))


def _matrix(rows: Sequence[Features]) -> Floats:
    return np.array([list(row.values()) for row in rows], dtype=np.float32)
