"""Training of the support model: boosted trees whose every figure may push one way only."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.support.features import DIRECTIONS, NAMES, Reader, describe, is_long
from graph.support.packs import Judged
from graph.support.passages import Rarity
from graph.support.weights import STEPS
from graph.support.wording import read
from graph.trained.boosting import grown_trees
from graph.trained.folds import FOLDS, inner_fold_of
from graph.trained.trees import Trees

LEARNING_RATE = 0.06
RIDGE = 5.0
ROWS_A_SHARE = 1000
_LEAST_DOCUMENTS = 3
_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are grown.

    Attributes:
        rounds: How many.
        leaves: Most leaves of one.
        smallest: Fewest rows of a leaf.
        balanced: Whether supported and unsupported rows of a pack count alike, however many there are of either.
    """

    rounds: int
    leaves: int
    smallest: int
    balanced: bool


LINES = Growth(rounds=250, leaves=10, smallest=40, balanced=False)
PAGES = Growth(rounds=120, leaves=4, smallest=30, balanced=True)
"""Rows with long evidence are few, and most of them are supported: small trees, and either kind counts alike."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Judged claims and what is seen of them.

    Attributes:
        rows: The claims.
        seen: Shape `(len(rows), len(NAMES))`.
    """

    rows: Sequence[Judged]
    seen: NDArray[np.float32]

    @property
    def labels(self) -> NDArray[np.bool_]:
        """What is true of each."""
        return np.array([row.label for row in self.rows], dtype=np.bool_)

    @property
    def long(self) -> NDArray[np.bool_]:
        """Whose evidence is long."""
        return np.array([is_long(row.evidence) for row in self.rows], dtype=np.bool_)

    @property
    def folds(self) -> NDArray[np.int64]:
        """The fold that holds each back; by what it shares with others, so that a new row moves no other."""
        return np.array([inner_fold_of(row.source) for row in self.rows], dtype=np.int64)

    def pick(self, chosen: NDArray[np.bool_]) -> "Examples":
        """Some of them."""
        return Examples([self.rows[place] for place in np.flatnonzero(chosen).tolist()], self.seen[chosen])


Lessons = Sequence[tuple[Examples, float]]
"""Examples of each pack, and how much the pack counts as a whole, however many rows it has."""


def learn_rarity(texts: Iterable[str]) -> Rarity:
    """Learn how much words say from the texts they occur in: their inverse document frequency."""
    distinct = list(dict.fromkeys(texts))
    counts = Counter(stem for text in distinct for stem in read(text).content)
    most = math.log(max(len(distinct), _LEAST_DOCUMENTS + 1) / _LEAST_DOCUMENTS)
    common = {stem: count for stem, count in counts.items() if count > _LEAST_DOCUMENTS}
    return Rarity({stem: round(math.log(len(distinct) / n) / most * STEPS) / STEPS for stem, n in common.items()})


def examples(rows: Sequence[Judged], reader: Reader) -> Examples:
    """Describe judged claims."""
    parts = [
        describe([(row.claim, row.evidence) for row in rows[at : at + _AT_ONCE]], reader)
        for at in range(0, len(rows), _AT_ONCE)
    ]
    return Examples(rows, np.concatenate([np.zeros((0, len(NAMES)), dtype=np.float32), *parts]))


def fit(lessons: Lessons, growth: Growth = LINES) -> Trees:
    """Learn from examples; the same ones give the same trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - heavy, with the next
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    model = HistGradientBoostingClassifier(
        max_iter=growth.rounds,
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=growth.leaves,
        min_samples_leaf=growth.smallest,
        l2_regularization=RIDGE,
        monotonic_cst=list(DIRECTIONS),
        early_stopping=False,
        random_state=0,
    )
    weight = np.concatenate([share * _weights(one.labels, balanced=growth.balanced) for one, share in lessons])
    labels = np.concatenate([one.labels for one, _ in lessons])
    with threadpool_limits(limits=1):  # threads add in another order each time
        model.fit(np.concatenate([one.seen for one, _ in lessons]), labels, sample_weight=weight)
    return grown_trees(model, NAMES)


def _weights(labels: NDArray[np.bool_], *, balanced: bool) -> NDArray[np.float64]:
    """What each row of a pack counts for; together `ROWS_A_SHARE`."""
    weights = np.full(len(labels), ROWS_A_SHARE / max(len(labels), 1))
    if balanced and 0 < labels.mean() < 1:
        weights *= np.where(labels, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    return weights


def held_back(lessons: Lessons, growth: Growth = LINES) -> list[NDArray[np.float32]]:
    """Log odds of the rows of each pack from trees that saw no row of the same source."""
    found = [np.zeros(len(one.rows), dtype=np.float32) for one, _ in lessons]
    for fold in range(FOLDS):
        seen = [(one.pick(one.folds != fold), share) for one, share in lessons]
        trees = fit([(one, share) for one, share in seen if one.rows], growth)
        for own, (one, _) in zip(found, lessons, strict=True):
            own[one.folds == fold] = trees.predict(one.seen[one.folds == fold])
    return found
