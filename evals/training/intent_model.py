"""The intent model: its training utterances, and a deterministic fit from them to weights and held-back figures."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import graph.intents
from evals.training.recipe import one_thread, splits
from graph.intents.model import (
    BUCKETS,
    Floats,
    IntentWeights,
    Neighbours,
    deep_vectors,
    directions,
    mix,
    probabilities_of,
    scores,
    term_counts,
)
from graph.parts import Encoder

UTTERANCES = Path(graph.intents.__file__).with_name("utterances")
SLOTS = Path(graph.intents.__file__).with_name("slots")
_FILLINGS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled text; examples of one group say the same and belong on the same side of a split."""

    text: str
    label: str
    group: str


def read_utterances(folder: Path = UTTERANCES, slots: Path = SLOTS) -> list[Example]:
    """Read every utterance, those with slots several times with other names, so that no name carries a meaning.

    Args:
        folder: One text file an intent, one utterance a line.
        slots: One text file a slot, one name a line.
    """
    names = _names(slots)
    return [
        Example(text, path.stem, line)
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        for text in _fill(line, names)
    ]


def filled(line: str, slots: Path = SLOTS) -> list[str]:
    """An utterance as it is learnt: with names in its slots several times over, without slots once."""
    return list(_fill(line, _names(slots)))


@lru_cache(maxsize=1)
def _names(slots: Path) -> dict[str, list[str]]:
    return {path.stem: path.read_text(encoding="utf-8").splitlines() for path in sorted(slots.glob("*.txt"))}


def _fill(line: str, names: dict[str, list[str]]) -> Iterator[str]:
    if "{" not in line:
        yield line
        return
    # Seeded by the line, so that a new line does not change the others.
    slots = _Slots(random.Random(line), names)  # noqa: S311 - not for secrets
    for _ in range(_FILLINGS):
        yield line.format_map(slots)


@dataclass(frozen=True, slots=True)
class _Slots:
    """Gives a slot such as `{product}` or `{product2}` a name of its kind, another one each time."""

    choice: random.Random
    names: dict[str, list[str]]

    def __getitem__(self, slot: str) -> str:
        return self.choice.choice(self.names[slot.rstrip("0123456789")])


_COMPONENTS = 128


def fit_neighbours(vectors: Floats, gold: NDArray[np.int64]) -> Neighbours:
    """Keep examples along the principal components of their embeddings, where they take little room."""
    centre = vectors.mean(axis=0)
    deviations = vectors - centre
    _, components = np.linalg.eigh((deviations.T @ deviations).astype(np.float64))
    projection = components[:, -_COMPONENTS:].astype(np.float32)
    return Neighbours(centre, projection, directions(deviations @ projection), gold)


_SHARES = np.linspace(0.2, 0.8, 13)
_SHARPNESSES = np.geomspace(0.4, 4.0, 60)


@dataclass(frozen=True, slots=True)
class Mixture:
    """How two classifiers are put together: the dense one's share, and the sharpness of the mean."""

    share: float
    sharpness: float


def fit_mixture(dense: NDArray[np.float64], lexical: NDArray[np.float64], gold: NDArray[np.int64]) -> Mixture:
    """Choose share and sharpness by the likelihood of held-back labels (temperature scaling, Guo et al. 2017).

    Args:
        dense: Log probabilities of the dense classifier on rows it was not trained on.
        lexical: Those of the lexical classifier on the same rows.
        gold: Column of each row's label.
    """
    return min(
        (Mixture(float(share), float(sharpness)) for share in _SHARES for sharpness in _SHARPNESSES),
        key=lambda m: _loss(probabilities_of(mix(dense, lexical, m.share) * m.sharpness), gold),
    )


def fit_sharpness(probabilities: NDArray[np.float64], none: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    """Choose the exponent of probabilities by the likelihood of held-back labels, where none of the labels may apply.

    Args:
        probabilities: Of the labels, shape `(rows, labels)`.
        none: Probability that none applies, shape `(rows,)`.
        gold: Column of each row's label.
    """
    logs = np.log(probabilities)
    return min(
        (float(sharpness) for sharpness in _SHARPNESSES),
        key=lambda sharpness: _loss(blended(probabilities_of(logs * sharpness), none), gold),
    )


def blended(probabilities: NDArray[np.float64], none: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of the labels where none may apply: a text outside says nothing of which label it is.

    Args:
        probabilities: Shape `(texts, labels)`.
        none: Probability that none applies, shape `(texts,)`.
    """
    share = none[:, None]
    return np.asarray((1 - share) * probabilities + share / probabilities.shape[1], dtype=np.float64)


def _loss(probabilities: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    return float(-np.log(probabilities[np.arange(len(gold)), gold]).mean())


_DENSE_STRENGTH = 20.0
_LEXICAL_STRENGTH = 50.0
_CHOICE = 2
"""Fewest labels that a model can choose from."""


class TooFewExamplesError(ValueError):
    """Too little to learn from."""

    def __init__(self) -> None:
        super().__init__(
            "There are too few training examples: there must be at least two labels, with some examples each."
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """Examples as a model is trained on them.

    Attributes:
        texts: The texts.
        vectors: Their embeddings, one a row.
        gold: Column of each one's label.
        labels: The labels, in the order of the columns.
    """

    texts: list[str]
    vectors: Floats
    gold: NDArray[np.int64]
    labels: tuple[str, ...]

    def take(self, chosen: NDArray[np.intp]) -> "Rows":
        """Those at some positions."""
        return Rows([self.texts[i] for i in chosen], self.vectors[chosen], self.gold[chosen], self.labels)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained model and what it said about examples that it was not trained on.

    Attributes:
        weights: Trained on all training examples.
        rows: The training examples.
        tested: Examples that were held back; the same ones where they were held back fold by fold.
        groups: Of each tested example, where models saw those of other folds; None where all were unseen.
        held_back: Calibrated probabilities, shape `(tested, labels)`, from a model that did not see the example.
    """

    weights: IntentWeights
    rows: Rows
    tested: Rows
    groups: tuple[str, ...] | None
    held_back: NDArray[np.float64]

    @property
    def gold(self) -> NDArray[np.int64]:
        """Column of the label of each tested example."""
        return self.tested.gold

    def splits(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Positions of tested examples, and of the training examples to judge them by, which do not include them."""
        if self.groups is None:
            yield np.arange(len(self.tested.texts)), np.arange(len(self.rows.texts))
        else:
            yield from splits(self.groups)


def fit(examples: Sequence[Example], encoder: Encoder, validation: Sequence[Example] = ()) -> Fitted:
    """Train on all examples, calibrated on others, or on folds of them that were held back.

    Args:
        examples: What is learnt from.
        encoder: Embeds the texts.
        validation: Others whose labels are among theirs, on which calibrating is quicker; on folds if there are none.

    Raises:
        TooFewExamplesError: There are not two labels, or not without one of the folds.
    """
    labels = _labels(examples)
    groups = None if validation else tuple(example.group for example in examples)
    for _, rest in splits(groups or ()):
        _labels([examples[i] for i in rest])
    rows = _read(examples, labels, encoder)
    tested = _read(validation, labels, encoder) if validation else rows
    with one_thread():
        weights = _train(rows)
        if groups is None:
            dense, lexical = scores(weights, tested.vectors, tested.texts)
        else:
            dense, lexical = _held_back(rows, groups)
        mixture = fit_mixture(dense, lexical, tested.gold)
    calibrated = probabilities_of(mix(dense, lexical, mixture.share) * mixture.sharpness)
    return Fitted(_mixed(weights, mixture), rows, tested, groups, calibrated)


def fit_with(examples: Sequence[Example], mixture: Mixture, encoder: Encoder) -> IntentWeights:
    """Train on all examples, put together as `mixture` says; nothing is held back, which is quickest.

    Raises:
        TooFewExamplesError: There are not two labels.
    """
    rows = _read(examples, _labels(examples), encoder)
    with one_thread():
        return _mixed(_train(rows), mixture)


def _mixed(weights: IntentWeights, mixture: Mixture) -> IntentWeights:
    return replace(weights, share=mixture.share, sharpness=mixture.sharpness)


def _labels(examples: Sequence[Example]) -> tuple[str, ...]:
    labels = tuple(sorted({example.label for example in examples}))
    if len(labels) < _CHOICE:
        raise TooFewExamplesError
    return labels


def _read(examples: Sequence[Example], labels: tuple[str, ...], encoder: Encoder) -> Rows:
    texts = [example.text for example in examples]
    gold = np.array([labels.index(example.label) for example in examples], dtype=np.int64)
    return Rows(texts, deep_vectors(encoder, texts), gold, labels)


def _held_back(rows: Rows, groups: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    dense, lexical = (np.zeros((len(rows.texts), len(rows.labels))) for _ in range(2))
    for chosen, rest in splits(groups):
        tested = rows.take(chosen)
        weights = _train(rows.take(rest))
        dense[chosen], lexical[chosen] = scores(weights, tested.vectors, tested.texts)
    return dense, lexical


def _train(rows: Rows) -> IntentWeights:
    """Both classifiers, put together half and half."""
    counts = _count_matrix(rows.texts)
    frequency = np.bincount(counts.indices, minlength=BUCKETS)
    idf = (np.log((1 + len(rows.texts)) / (1 + frequency)) + 1).astype(np.float32)
    dense, dense_bias = _logistic_regression(rows.vectors, rows, _DENSE_STRENGTH)
    lexical, lexical_bias = _logistic_regression(_tf_idf(counts, idf), rows, _LEXICAL_STRENGTH)
    return IntentWeights(
        labels=rows.labels,
        dense=dense,
        dense_bias=dense_bias,
        idf=idf,
        lexical=lexical,
        lexical_bias=lexical_bias,
        neighbours=fit_neighbours(rows.vectors, rows.gold),
        share=0.5,
        sharpness=1.0,
    )


def _count_matrix(texts: Sequence[str]) -> Any:  # noqa: ANN401 - scipy has no types
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - needed in training alone

    counted = [term_counts(text) for text in texts]
    ends = np.cumsum([0, *(len(buckets) for buckets, _ in counted)])
    buckets, values = (np.concatenate(part) for part in zip(*counted, strict=True))
    return csr_matrix((values, buckets, ends), shape=(len(texts), BUCKETS))


def _tf_idf(counts: Any, idf: Floats) -> Any:  # noqa: ANN401 - scipy has no types
    from sklearn.preprocessing import normalize  # noqa: PLC0415 - heavy

    return normalize(counts.multiply(idf).tocsr())


def _logistic_regression(features: Any, rows: Rows, strength: float) -> tuple[Floats, Floats]:  # noqa: ANN401
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

    # Balanced: how many utterances someone wrote for an intent says nothing of how often shoppers ask it.
    model = LogisticRegression(C=strength, class_weight="balanced", max_iter=2000).fit(features, rows.gold)
    coefficients, bias = np.zeros((features.shape[1], len(rows.labels))), np.full(len(rows.labels), -np.inf)
    # Of two classes the model holds the second alone; its odds are those against a score of 0.
    bias[model.classes_] = 0
    scored = model.classes_[-len(model.coef_) :]
    coefficients[:, scored], bias[scored] = model.coef_.T, model.intercept_
    return coefficients.astype(np.float32), bias.astype(np.float32)
