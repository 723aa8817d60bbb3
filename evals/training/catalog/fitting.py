"""Training of product matching: which candidate a name means, and whether it means any."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.training.catalog.packs import Lookup, Pack
from graph.catalog.matching.matcher import CandidateSearch, Described, MatcherWeights, evidence, judge
from graph.catalog.names import NameIndex
from graph.trained import FOLDS, fold_of, inner_fold_of

RIDGE = 4.0
"""Strength of the penalty on the weights of ranking, per unit of the standardised features."""
ACCEPTANCE_RIDGE = 50.0
UNDECIDED = 0.5
"""The threshold until one is chosen on held-back look-ups."""
_DECIMALS = 5


@dataclass(frozen=True, slots=True)
class MatchingExample:
    """A look-up with its candidates, and which of them it means."""

    lookup: Lookup
    found: Described
    meant: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a matcher made of a look-up: how probable the best candidate is, and whether that is meant."""

    probability: float
    right: bool
    sold: bool


def examples(pack: Pack) -> list[MatchingExample]:
    """The look-ups of a pack with their candidates."""
    search = CandidateSearch(NameIndex(pack.products))
    described = [(lookup, search.describe(lookup.query)) for lookup in pack.lookups]
    return [
        MatchingExample(lookup, found, np.array([key in lookup.gold for key in found.keys], dtype=np.bool_))
        for lookup, found in described
    ]


def fit(train: Sequence[MatchingExample]) -> MatcherWeights:
    """Learn ranking, and from the scores of held-back look-ups acceptance."""
    held_back = [np.zeros(0)] * len(train)
    folds = np.array([_inner_fold(example) for example in train])
    for fold in range(FOLDS):
        ranking, offset = _fit_ranking([one for one, other in zip(train, folds, strict=True) if other != fold])
        for place in np.flatnonzero(folds == fold).tolist():
            held_back[place] = train[place].found.features @ ranking + offset
    acceptance, intercept = _fit_acceptance(train, held_back)
    ranking, offset = _fit_ranking(train)
    return MatcherWeights(ranking, offset, acceptance, intercept, threshold=UNDECIDED)


def cross_validate(packs: Mapping[str, Sequence[MatchingExample]]) -> dict[str, list[Decision]]:
    """What weights learnt from the other folds of all packs make of each look-up."""
    decisions: dict[str, list[Decision]] = {name: [] for name in packs}
    weights = [
        fit([one for rows in packs.values() for one in rows if _outer_fold(one) != fold]) for fold in range(FOLDS)
    ]
    for name, rows in packs.items():
        decisions[name] = [decide(one, weights[_outer_fold(one)]) for one in rows]
    return decisions


def decide(example: MatchingExample, weights: MatcherWeights) -> Decision:
    """What the weights make of a look-up."""
    sold = bool(example.lookup.gold)
    if not example.found.keys:
        return Decision(0.0, right=False, sold=sold)
    judged = judge(example.found, weights)
    return Decision(judged.probability, bool(example.meant[judged.order[0]]), sold)


def _inner_fold(example: MatchingExample) -> int:
    """The fold that holds a look-up back: that of the product it means, so that none is on both sides."""
    return fold_of(_product(example.lookup))


def _outer_fold(example: MatchingExample) -> int:
    """Independent of the folds inside of training."""
    return inner_fold_of(_product(example.lookup))


def _product(lookup: Lookup) -> str:
    return min(lookup.gold, default=lookup.id)


def _fit_ranking(train: Sequence[MatchingExample]) -> tuple[NDArray[np.float64], float]:
    """A conditional logit model (McFadden, 1974): the probability of a candidate is its softmax share among all.

    Of several candidates that are meant, any will do.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - heavy
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - needed here alone

    usable = [one for one in train if one.meant.any()]
    features = np.vstack([one.found.features for one in usable])
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale == 0] = 1.0
    choice = _Choice((features - mean) / scale, [one.meant for one in usable])
    # Threads add in another order each time.
    with threadpool_limits(limits=1):
        found = minimize(choice.loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B")
    ranking = found.x / scale
    return np.round(ranking, _DECIMALS), round(-float(mean @ ranking), _DECIMALS)


class _Choice:
    """The penalised negative log likelihood of choosing what is meant among the candidates of each query."""

    def __init__(self, features: NDArray[np.float64], meant: Sequence[NDArray[np.bool_]]) -> None:
        sizes = [len(one) for one in meant]
        self._features, self._meant = features, np.concatenate(list(meant))
        self._starts = np.cumsum([0, *sizes[:-1]])
        self._query = np.repeat(np.arange(len(sizes)), sizes)

    def loss(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Loss and gradient."""
        scores = self._features @ weights
        shifted = np.exp(scores - np.maximum.reduceat(scores, self._starts)[self._query])
        total = np.add.reduceat(shifted, self._starts)
        right = np.add.reduceat(shifted * self._meant, self._starts)
        value = float((np.log(total) - np.log(right)).sum() + RIDGE * (weights**2).sum())
        pull = shifted / total[self._query] - shifted * self._meant / right[self._query]
        return value, self._features.T @ pull + 2 * RIDGE * weights


def _fit_acceptance(
    train: Sequence[MatchingExample], scores: Sequence[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], float]:
    """A logistic regression over the held-back scores of each query's candidates."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    usable = [(one, own) for one, own in zip(train, scores, strict=True) if one.found.keys]
    rows = np.array([evidence(one.found.features, own) for one, own in usable])
    right = np.array([one.meant[np.argmax(own)] for one, own in usable])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=1 / ACCEPTANCE_RIDGE, max_iter=1000).fit((rows - mean) / scale, right)
    weights = model.coef_[0] / scale
    return np.round(weights, _DECIMALS), round(float(model.intercept_[0] - mean @ weights), _DECIMALS)
