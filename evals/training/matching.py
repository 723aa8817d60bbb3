"""The recipe of product matching: from look-ups in other shops' catalogs to weights and card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from evals.metrics.classification import calibration_error
from evals.rows import Lookup, Row
from evals.training.recipe import (
    Floats,
    Metrics,
    Release,
    at,
    card_text,
    conditional_logit,
    inner_fold_of,
    logistic,
    one_thread,
    pack_rows,
    splits,
    standardised,
    table,
)
from graph.catalog.matching import (
    CANDIDATES,
    CONTRADICTIONS,
    FEATURES,
    MODEL_PATH,
    SIGNALS,
    CandidateSearch,
    Described,
    MatcherWeights,
    evidence,
)
from graph.catalog.names import NameIndex
from graph.trained import Logistic
from ingestion.evidence import Product

PACKS = ("catalog-amazon-google", "catalog-walmart-amazon")
LICENCE = "Apache-2.0"


class ListedProduct(Row):
    """A product as a pack lists it."""

    id: str
    name: str
    brand: str | None = None
    category: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)

    @property
    def product(self) -> Product:
        """The same as a shop has it."""
        category = (self.category,) if self.category else ()
        return Product(self.id, self.name, brand=self.brand, category=category, attributes=self.attributes)


RIDGE = 4.0
"""Strength of the penalty on the weights of ranking, per unit of the standardised features."""
ACCEPTANCE_RIDGE = 50.0
UNDECIDED = 0.5
"""The threshold until one is chosen on held-back look-ups."""
_DIGITS = 5
"""Of the weights as they are kept."""


@dataclass(frozen=True, slots=True)
class MatchingExample:
    """A look-up with its candidates, and which of them it means."""

    lookup: Lookup
    found: Described
    meant: NDArray[np.bool_]

    @property
    def product(self) -> str:
        """What it is about: look-ups of one product are held back together, so that none is on both sides."""
        return min(self.lookup.gold, default=self.lookup.id)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a matcher made of a look-up: how probable the best candidate is, and whether that is meant."""

    probability: float
    right: bool
    sold: bool


def examples(bench: Path, name: str, split: str) -> list[MatchingExample]:
    """The look-ups of a pack's split with their candidates in its catalog.

    Raises:
        InputError: They are missing or malformed.
    """
    products = {row.id: row.product for row in pack_rows(bench / name / "products.jsonl", ListedProduct)}
    lookups = pack_rows(bench / name / "queries.jsonl", Lookup, split)
    search = CandidateSearch(NameIndex(products))
    described = [(lookup, search.describe(lookup.query)) for lookup in lookups]
    return [
        MatchingExample(lookup, found, np.array([key in lookup.gold for key in found.keys], dtype=np.bool_))
        for lookup, found in described
    ]


def fit(train: Sequence[MatchingExample]) -> MatcherWeights:
    """Learn ranking, and from the scores of held-back look-ups acceptance."""
    scores = [np.zeros(0)] * len(train)
    for held, rest in splits([one.product for one in train]):
        ranking = _fit_ranking(at(train, rest))
        for place in held.tolist():
            scores[place] = ranking.log_odds(train[place].found.features)
    return MatcherWeights(_fit_ranking(train), _fit_acceptance(train, scores), threshold=UNDECIDED)


def cross_validate(rows: Sequence[MatchingExample]) -> list[Decision]:
    """What weights learnt from the other folds make of each look-up; the folds inside of training are others."""
    decisions: dict[int, Decision] = {}
    for held, rest in splits([one.product for one in rows], inner_fold_of):
        weights = fit(at(rows, rest))
        decisions |= {place: decide(rows[place], weights) for place in held.tolist()}
    return [decisions[place] for place in range(len(rows))]


def decide(example: MatchingExample, weights: MatcherWeights) -> Decision:
    """What the weights make of a look-up."""
    sold = bool(example.lookup.gold)
    if not example.found.keys:
        return Decision(0.0, right=False, sold=sold)
    scores, probability = weights.judge(example.found.features)
    return Decision(probability, bool(example.meant[np.argmax(scores)]), sold)


def _fit_ranking(train: Sequence[MatchingExample]) -> Logistic:
    """Weights of the features, and an intercept that makes the mean candidate's score 0."""
    usable = [one for one in train if one.meant.any()]
    _, mean, scale = standardised(np.vstack([one.found.features for one in usable]))
    features = [(one.found.features - mean) / scale for one in usable]
    ranking = conditional_logit(features, [one.meant for one in usable], RIDGE) / scale
    return logistic(FEATURES, ranking, -float(mean @ ranking), _DIGITS)


def _fit_acceptance(train: Sequence[MatchingExample], scores: Sequence[Floats]) -> Logistic:
    """A logistic regression over the held-back scores of each query's candidates."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    usable = [(one, own) for one, own in zip(train, scores, strict=True) if one.found.keys]
    rows = np.array([evidence(one.found.features, own) for one, own in usable])
    right = np.array([one.meant[np.argmax(own)] for one, own in usable])
    seen, mean, scale = standardised(rows)
    with one_thread():
        model = LogisticRegression(C=1 / ACCEPTANCE_RIDGE, max_iter=1000).fit(seen, right)
    weights = model.coef_[0] / scale
    return logistic((*SIGNALS, *CONTRADICTIONS), weights, float(model.intercept_[0] - mean @ weights), _DIGITS)


def measure(decisions: Sequence[Decision], threshold: float) -> Metrics:
    """Measure decisions at a threshold.

    `hit@1` is over the look-ups that have a product, `accept F1` of the precision of what is accepted and the recall of
    these, `invented` the share of all look-ups where another product is accepted, `ECE` that of the probabilities.
    """
    accepted = [one for one in decisions if one.probability >= threshold]
    right = sum(one.right for one in accepted)
    sold = sum(one.sold for one in decisions)
    probabilities = np.array([one.probability for one in decisions])
    return {
        "n": len(decisions),
        "hit@1": sum(one.right for one in decisions) / max(sold, 1),
        "accept F1": 2 * right / max(len(accepted) + sold, 1),
        "invented": (len(accepted) - right) / max(len(decisions), 1),
        "ECE": calibration_error(probabilities, np.array([one.right for one in decisions])),
    }


_THRESHOLDS = np.round(np.arange(0.05, 0.951, 0.01), 2).tolist()


def train(bench: Path) -> Release:
    """Train on the train rows of the packs, and measure on the test rows too.

    Args:
        bench: The folder of the benchmark packs.

    Raises:
        InputError: The packs cannot be used.
    """
    rows = {name: examples(bench, name, "train") for name in PACKS}
    every = [one for own in rows.values() for one in own]
    decided = iter(cross_validate(every))
    held_back = {name: [next(decided) for _ in own] for name, own in rows.items()}
    threshold = _threshold(held_back)
    weights = replace(fit(every), threshold=threshold)
    decisions = {f"{name}, train, cross-validated": made for name, made in held_back.items()}
    for name, own in rows.items():
        others = fit([one for other, theirs in rows.items() if other != name for one in theirs])
        decisions[f"{name}, train, learnt from the other pack"] = [decide(one, others) for one in own]
    for name in PACKS:
        decisions[f"{name}, test"] = [decide(one, weights) for one in examples(bench, name, "test")]
    metrics = {name: measure(made, threshold) for name, made in decisions.items()}
    card = card_text(
        "matching",
        candidates=CANDIDATES,
        features=len(FEATURES),
        contradictions=len(CONTRADICTIONS),
        threshold=threshold,
        licence=LICENCE,
        packs=" and ".join(f"`{name}` ({len(own):,} look-ups)" for name, own in rows.items()),
        table=table(metrics),
    )
    return Release(MODEL_PATH, weights.to_bytes(), card, metrics)


def _threshold(held_back: Mapping[str, Sequence[Decision]]) -> float:
    """The one threshold whose worst pack is best."""
    return float(max(_THRESHOLDS, key=lambda one: min(measure(own, one)["accept F1"] for own in held_back.values())))
