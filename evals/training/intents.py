"""The recipe of the intent model, from utterances to weights and card, and that of a shop's own intents beside ours."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.metrics.classification import expected_calibration_error
from evals.report import markdown_table
from evals.training.intent_model import Example, Mixture, filled, fit, fit_with, read_utterances
from evals.training.recipe import Metrics, Release, card_text, table
from graph.intents import INTENTS, NON_DECISION
from graph.intents.model import MODEL_PATH, IntentWeights, LocalIntentModel, ShopIntents
from graph.parts import Encoder
from ingestion.encoder import shared_encoder
from ingestion.readers.config import ShopIntent


@dataclass(frozen=True, slots=True)
class IntentMetrics:
    """Figures of one set of labelled rows.

    Attributes:
        rows: Number of rows.
        accuracy: Share of rows whose likeliest label is right.
        weighted_f1: F1 of each label, averaged by its number of rows.
        ece: Expected calibration error, 15 equal bins.
        f1: F1 by label.
    """

    rows: int
    accuracy: float
    weighted_f1: float
    ece: float
    f1: dict[str, float]

    @property
    def metrics(self) -> Metrics:
        """Its figures over all labels."""
        return {"n": self.rows, "accuracy": self.accuracy, "weighted F1": self.weighted_f1, "ECE": self.ece}


def measure(probabilities: NDArray[np.float64], gold: NDArray[np.int64], labels: tuple[str, ...]) -> IntentMetrics:
    """Measure calibrated probabilities, shape `(rows, labels)`, against each row's column."""
    from sklearn.metrics import f1_score  # noqa: PLC0415 - heavy

    predicted = probabilities.argmax(axis=1)
    columns = range(len(labels))
    f1 = f1_score(gold, predicted, labels=columns, average=None, zero_division=0).tolist()
    return IntentMetrics(
        rows=len(gold),
        accuracy=float((predicted == gold).mean()),
        weighted_f1=float(f1_score(gold, predicted, labels=columns, average="weighted", zero_division=0)),
        ece=expected_calibration_error(probabilities, gold),
        f1=dict(zip(labels, f1, strict=True)),
    )


THRESHOLDS = tuple(step / 20 for step in range(2, 20))
_MOST_LOST = 0.01


@dataclass(frozen=True, slots=True)
class BrowsingPoint:
    """A `non_decision` threshold: the share of it found, and the share of questions lost to browsing by it."""

    threshold: float
    found: float
    lost: float


def browsing_curve(shares: NDArray[np.float64], browsing: NDArray[np.bool_]) -> list[BrowsingPoint]:
    """What each `non_decision` threshold finds and loses.

    Args:
        shares: Held-back probability of `non_decision`, for each example.
        browsing: Whether that is its label.
    """
    reached = ((threshold, shares >= threshold) for threshold in THRESHOLDS)
    return [BrowsingPoint(each, float(over[browsing].mean()), float(over[~browsing].mean())) for each, over in reached]


def choose_browsing(curve: Sequence[BrowsingPoint]) -> BrowsingPoint:
    """The lowest threshold that loses at most 1 % of the questions: a lost question gets no answer at all."""
    return next((point for point in curve if point.lost <= _MOST_LOST), curve[-1])


def _tables(measured: Mapping[str, IntentMetrics]) -> str:
    labels = next(iter(measured.values())).f1
    rows = [(f"`{label}`", *(f"{one.f1[label]:.2f}" for one in measured.values())) for label in labels]
    overall = table({name: one.metrics for name, one in measured.items()})
    return f"## Figures\n\n{overall}\n{markdown_table(('intent', *(f'F1, {name}' for name in measured)), rows)}"


def _browsing(curve: Sequence[BrowsingPoint]) -> str:
    rows = [(f"{p.threshold:.2f}", f"{p.found:.3f}", f"{p.lost:.3f}") for p in curve]
    return (
        "## Thresholds\n\nOn held-back examples. A question lost to browsing gets no answer at all, so "
        f"`non_decision_threshold` is the lowest that loses at most 1 %: {choose_browsing(curve).threshold:.2f}.\n\n"
        + markdown_table(("`non_decision_threshold`", "`non_decision` found", "questions lost"), rows)
    )


CROSS_VALIDATED = "cross-validated"
HELD_OUT = "held-out test rows"


def train(test: Path | None = None) -> Release:
    """Train on the utterances of the project.

    Args:
        test: Rows `{text, label}` that training does not see, one JSON object a line.
    """
    encoder, examples = shared_encoder(), read_utterances()
    fitted = fit(examples, encoder)
    measured = {CROSS_VALIDATED: measure(fitted.held_back, fitted.gold, fitted.weights.labels)}
    if test is not None:
        measured[HELD_OUT] = evaluate(fitted.weights, encoder, test)
    browsing = fitted.weights.labels.index(NON_DECISION)
    utterances = len({(example.label, example.group) for example in examples})
    card = "\n".join(
        [
            card_text("intents", utterances=utterances, examples=len(examples)),
            _tables(measured),
            _browsing(browsing_curve(fitted.held_back[:, browsing], fitted.gold == browsing)),
        ]
    )
    metrics = {name: one.metrics for name, one in measured.items()}
    return Release(MODEL_PATH, fitted.weights.to_bytes(), card, metrics)


def evaluate(weights: IntentWeights, encoder: Encoder, test: Path) -> IntentMetrics:
    """Measure a model on labelled rows of a file, one question at a time, as it runs."""
    rows = [json.loads(line) for line in test.read_text(encoding="utf-8").splitlines()]
    model = LocalIntentModel(encoder, weights)
    probabilities = np.array([list(model.distribution(row["text"]).values()) for row in rows])
    gold = np.array([weights.labels.index(row["label"]) for row in rows], dtype=np.int64)
    return measure(probabilities, gold, weights.labels)


FEWEST_UTTERANCES = 8
"""An intent of a shop's own is not learnt from fewer."""


class ShopIntentsError(ValueError):
    """A shop's intents cannot be learnt."""


def train_for_shop(
    intents: Sequence[ShopIntent], encoder: Encoder, ours: Sequence[Example] | None = None
) -> ShopIntents:
    """Learn a shop's intents beside ours, calibrated as the model that ships.

    Args:
        intents: What the shop says; utterances under the name of one of our intents are added to it.
        encoder: Embeds the utterances.
        ours: Examples of our intents; those that the shipped model is trained on if None.

    Raises:
        ShopIntentsError: An intent lacks utterances, or what answers it.
    """
    _check(intents)
    shipped = IntentWeights.load()
    examples = [*(ours or read_utterances()), *_examples(intents)]
    weights = fit_with(examples, Mixture(shipped.share, shipped.sharpness), encoder)
    return ShopIntents(weights, _source_types(intents))


def _check(intents: Sequence[ShopIntent]) -> None:
    if not intents:
        message = "It names no intents. Add some to its shop.toml: [intents.gift_wrapping] with utterances."
        raise ShopIntentsError(message)
    for intent in intents:
        where = f"[intents.{intent.name}]"
        if intent.name == NON_DECISION and intent.source_types:
            message = f"{where} has source_types, but {NON_DECISION} reads no evidence. Take them out."
            raise ShopIntentsError(message)
        if intent.name in INTENTS:
            continue
        if not intent.source_types:
            message = f"{where} is new and names no source_types, the kinds of evidence that answer it."
            raise ShopIntentsError(message)
        if len(set(intent.utterances)) < FEWEST_UTTERANCES:
            message = (
                f"{where} has {len(set(intent.utterances))} utterances; at least {FEWEST_UTTERANCES} are needed, "
                "and more, differently worded, are better."
            )
            raise ShopIntentsError(message)


def _examples(intents: Sequence[ShopIntent]) -> list[Example]:
    return [
        Example(text, intent.name, utterance)
        for intent in intents
        for utterance in dict.fromkeys(intent.utterances)
        for text in filled(utterance)
    ]


def _source_types(intents: Sequence[ShopIntent]) -> dict[str, frozenset[str]]:
    types: dict[str, frozenset[str]] = {}
    for intent in intents:
        if intent.source_types:
            types[intent.name] = types.get(intent.name, frozenset()) | intent.source_types
    return types
