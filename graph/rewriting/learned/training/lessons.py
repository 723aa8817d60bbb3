"""Training of the learned rewriter: the models learn what each possible edit would have gained."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.rewriting.learned.deciding import MAX_ADDITIONS, Described, Options, Ranker
from graph.rewriting.learned.edits import Rewriting, rendered
from graph.rewriting.learned.reading.candidates import Candidate
from graph.rewriting.learned.reading.situation import Situation, read_situation
from graph.rewriting.learned.training.packs import Conversation, words_of
from graph.trained.boosting import grown_trees
from graph.trained.trees import Floats, Trees

ROUNDS = 80
LEAVES = 16
LEARNING_RATE = 0.1
SMALLEST_LEAF = 30
KEPT = 0.25
"""Share of the edits that gain nothing that are learnt from; each counts for the others too."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Edits and what each gained.

    Attributes:
        names: Names of the features.
        rows: Features, shape `(edits, features)`.
        gains: Change in token F1, shape `(edits,)`.
        owners: Place of the question that each belongs to, shape `(edits,)`.
    """

    names: tuple[str, ...]
    rows: Floats
    gains: Floats
    owners: NDArray[np.int64]

    def of(self, wanted: NDArray[np.bool_]) -> "Samples":
        """The edits of some of the questions."""
        chosen = wanted[self.owners]
        return Samples(self.names, self.rows[chosen], self.gains[chosen], self.owners[chosen])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one set of conversations teaches.

    Attributes:
        fills: Edits that fill a slot.
        additions: Edits that add something.
        weight: How much each counts.
    """

    fills: Samples
    additions: Samples
    weight: float = 1.0

    def of(self, wanted: NDArray[np.bool_]) -> "Lesson":
        """What some of the conversations teach."""
        return Lesson(self.fills.of(wanted), self.additions.of(wanted), self.weight)


def fit(lessons: Sequence[Lesson]) -> Ranker:
    """Learn from what conversations teach; the same lessons give the same ranker."""
    return Ranker(
        fills=_fit([(lesson.fills, lesson.weight) for lesson in lessons if len(lesson.fills.gains)]),
        additions=_fit([(lesson.additions, lesson.weight) for lesson in lessons if len(lesson.additions.gains)]),
    )


def lesson_of(rows: Iterable[Conversation], weight: float = 1.0) -> Lesson:
    """Try every edit of every question, going on from the best one each time."""
    fills, additions = _Collector(), _Collector()
    for owner, row in enumerate(rows):
        described = Described(read_situation(row.query, row.history, row.context))
        score = _Score(described.situation, row.golds)
        filled: list[Candidate | None] = []
        for _ in described.situation.slots:
            options = described.fills(filled)
            tried = [Rewriting((*filled, candidate)) for candidate in options.candidates]
            best = fills.add(owner, options, score.gains(Rewriting(tuple(filled)), tried))
            filled.append(None if best is None else options.candidates[best])
        so_far = Rewriting(tuple(filled))
        for _ in range(MAX_ADDITIONS):
            options = described.additions(so_far)
            tried = [Rewriting(so_far.fills, (*so_far.additions, candidate)) for candidate in options.candidates]
            best = additions.add(owner, options, score.gains(so_far, tried))
            if best is None:
                break
            so_far = tried[best]
    return Lesson(fills.samples(), additions.samples(), weight)


def token_f1(words: Sequence[str], gold: Sequence[str]) -> float:
    """Harmonic mean of the precision and the recall of words, each counted as often as it occurs."""
    total = len(words) + len(gold)
    return 2 * (Counter(words) & Counter(gold)).total() / total if total else 1.0


def nearness(text: str, golds: Sequence[Sequence[str]]) -> float:
    """Token F1 of a question against the likest gold one."""
    words = words_of(text)
    return max(token_f1(words, gold) for gold in golds)


class _Score:
    """What edits gain."""

    def __init__(self, situation: Situation, golds: Sequence[Sequence[str]]) -> None:
        self._situation, self._golds = situation, golds

    def gains(self, before: Rewriting, tried: Sequence[Rewriting]) -> list[float]:
        """What each gains over what there was before."""
        base = self._of(before)
        return [self._of(one) - base for one in tried]

    def _of(self, rewriting: Rewriting) -> float:
        return nearness(rendered(self._situation, rewriting), self._golds)


class _Collector:
    """Edits as they are tried."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._rows: list[Floats] = []
        self._gains: list[float] = []
        self._owners: list[int] = []

    def add(self, owner: int, options: Options, gains: Sequence[float]) -> int | None:
        """Keep edits and what they gain; the place of the best, None where none gains anything."""
        if not gains:
            return None
        self._names = options.names
        self._rows.append(options.rows)
        self._gains.extend(gains)
        self._owners.extend([owner] * len(gains))
        best = int(np.argmax(gains))
        return best if gains[best] > 0 else None

    def samples(self) -> Samples:
        rows = np.vstack(self._rows) if self._rows else np.zeros((0, 0), dtype=np.float32)
        return Samples(
            self._names, rows, np.array(self._gains, dtype=np.float32), np.array(self._owners, dtype=np.int64)
        )


def _fit(weighted: Sequence[tuple[Samples, float]]) -> Trees:
    from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: PLC0415 - heavy, with the next
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    samples = [one for one, _ in weighted]
    gains = np.concatenate([one.gains for one in samples])
    drawn = np.random.default_rng(0).random(len(gains)) < KEPT
    weight = np.where(gains > 0, 1.0, drawn / KEPT)
    weight *= np.concatenate([np.full(len(one.gains), each) for one, each in weighted])
    used = weight > 0
    model = HistGradientBoostingRegressor(
        max_iter=ROUNDS,
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=SMALLEST_LEAF,
        l2_regularization=1.0,
        max_bins=64,
        early_stopping=False,
        random_state=0,
    )
    with threadpool_limits(limits=1):
        model.fit(np.vstack([one.rows for one in samples])[used], gains[used], sample_weight=weight[used])
    return grown_trees(model, samples[0].names)
