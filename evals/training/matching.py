"""Training of product matching: look-ups, fit, figures on held-back ones, and the model card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.training.packs import read_rows
from evals.training.release import Release
from graph.catalog.matching.features import FEATURES
from graph.catalog.matching.matcher import (
    CANDIDATES,
    CONTRADICTIONS,
    MODEL_PATH,
    CandidateSearch,
    Described,
    MatcherWeights,
    evidence,
    judge,
)
from graph.catalog.names import NameIndex
from graph.intents.training import calibration_error
from graph.trained import FOLDS, fold_of, inner_fold_of
from ingestion.evidence import Product

PACKS = ("catalog-amazon-google", "catalog-walmart-amazon")
LICENCE = "Apache-2.0"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A name from another shop, and the ids of the products it means; empty where none is in the catalog."""

    id: str
    query: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Pack:
    """A catalog and the names to look up in it."""

    name: str
    products: Mapping[str, Product]
    lookups: tuple[Lookup, ...]


def read_pack(bench: Path, name: str, split: str) -> Pack:
    """Read the catalog of a pack and the look-ups of a split.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    products = read_rows(bench / name / "products.jsonl", _listed_product)
    lookups = read_rows(bench / name / "queries.jsonl", _lookup, split)
    return Pack(name, {product.id: product for product in products}, tuple(lookups))


def _lookup(row: dict[str, Any]) -> Lookup:
    return Lookup(row["id"], row["query"], frozenset(row["gold"]))


def _listed_product(row: dict[str, Any]) -> Product:
    category = row.get("category")
    return Product(
        id=row["id"],
        name=row["name"],
        brand=row.get("brand"),
        category=(category,) if category else (),
        attributes=row.get("attributes", {}),
    )


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


@dataclass(frozen=True, slots=True)
class MatchingMetrics:
    """Figures over look-ups.

    Attributes:
        rows: Look-ups, with a product or none.
        hit: Share of those with a product where it is ranked first.
        accept_f1: Harmonic mean of precision (of what is accepted) and recall (of the look-ups with a product).
        invented: Share of all look-ups where another product is accepted.
        ece: Expected calibration error of the probability that the first one is meant.
    """

    rows: int
    hit: float
    accept_f1: float
    invented: float
    ece: float

    def __str__(self) -> str:
        return f"hit@1 {self.hit:.3f}, accept F1 {self.accept_f1:.3f}, invented {self.invented:.3f}, n {self.rows}"


def measure(decisions: Sequence[Decision], threshold: float) -> MatchingMetrics:
    """Measure decisions at a threshold."""
    accepted = [one for one in decisions if one.probability >= threshold]
    right = sum(one.right for one in accepted)
    sold = sum(one.sold for one in decisions)
    return MatchingMetrics(
        rows=len(decisions),
        hit=sum(one.right for one in decisions) / max(sold, 1),
        accept_f1=2 * right / max(len(accepted) + sold, 1),
        invented=(len(accepted) - right) / max(len(decisions), 1),
        ece=calibration_error(
            np.array([one.probability for one in decisions]), np.array([one.right for one in decisions])
        ),
    )


_CARD = """# Product matching

Says which product of a catalog a name from elsewhere means, and how probable it is that it means that one.

* **Model**: a conditional logit model (McFadden, 1974) ranks up to {candidates} candidates by {features} features:
  which units both names say, weighted by how rare they are in the catalog and among the candidates, what only one says,
  letters, order, model numbers, amounts, years, colours and makers that agree or contradict. A logistic regression
  reads the best score, its lead and {contradictions} contradictions, and gives the probability; from {threshold} on
  the product is accepted. A short name that says another word where the product's name tells it from others is never
  accepted. `model.json` holds all, a number for each name.
* **Data**: train rows of two benchmark packs, both {licence}, found through `FOOTNOTE_BENCH` and not copied here:
  {packs}.
* **Training**: `footnote train catalog`. The same data give the same file, byte for byte, on one machine; elsewhere
  the same figures to three decimals.
* **Limits**: English names of software, office goods and electronics. In both packs a look-up without a product may
  have an unlabelled one, and of several entries of one product often not all are labelled: figures are lower than what
  a person would count. Nothing of a product but its name, maker, aliases and model numbers is read. The probability is
  calibrated on catalogs like these; in a small catalog of short names it is too high.

## Figures

hit@1 is over look-ups that have a product; invented is the share of all look-ups where another one is accepted. All are
at the one threshold, whose worst pack is best on the cross-validated rows.

| rows | n | hit@1 | accept F1 | invented | ECE |
|---|---|---|---|---|---|
{table}"""


def render_card(weights: MatcherWeights, sizes: Mapping[str, int], figures: Mapping[str, MatchingMetrics]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        sizes: How many look-ups it was learnt from, by pack.
        figures: What was measured, by the name of the rows.
    """
    lines = (
        f"| {name} | {one.rows} | {one.hit:.3f} | {one.accept_f1:.3f} | {one.invented:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        candidates=CANDIDATES,
        features=len(FEATURES),
        contradictions=len(CONTRADICTIONS),
        threshold=weights.threshold,
        licence=LICENCE,
        packs=" and ".join(f"`{name}` ({rows:,} look-ups)" for name, rows in sizes.items()),
        table="".join(lines),
    )


_THRESHOLDS = np.round(np.arange(0.05, 0.951, 0.01), 2).tolist()

Packs = Mapping[str, Sequence[MatchingExample]]


def train(bench: Path) -> Release[MatchingMetrics]:
    """Train on the train rows of the packs, and measure on the test rows too.

    Args:
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    rows = {name: examples(read_pack(bench, name, "train")) for name in PACKS}
    held_back = cross_validate(rows)
    threshold = _threshold(held_back)
    weights = replace(fit(_all(rows)), threshold=threshold)
    decisions = {f"{name}, train, cross-validated": made for name, made in held_back.items()}
    decisions |= {f"{name}, train, learnt from the other pack": _from_others(rows, name) for name in PACKS}
    for name in PACKS:
        decisions[f"{name}, test"] = [decide(row, weights) for row in examples(read_pack(bench, name, "test"))]
    figures = {name: measure(made, threshold) for name, made in decisions.items()}
    card = render_card(weights, {name: len(own) for name, own in rows.items()}, figures)
    return Release(MODEL_PATH, weights.to_json().encode(), card, figures)


def _threshold(held_back: Mapping[str, Sequence[Decision]]) -> float:
    """The one threshold whose worst pack is best."""
    return float(max(_THRESHOLDS, key=lambda one: min(measure(made, one).accept_f1 for made in held_back.values())))


def _from_others(rows: Packs, name: str) -> list[Decision]:
    weights: MatcherWeights = fit(_all({other: own for other, own in rows.items() if other != name}))
    return [decide(row, weights) for row in rows[name]]


def _all(rows: Packs) -> list[MatchingExample]:
    return list(chain.from_iterable(rows.values()))
