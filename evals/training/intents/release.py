"""From the utterances to the two files that ship: the weights and their model card."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.training.intents.figures import IntentMetrics, measure
from evals.training.intents.model_card import render_card
from evals.training.intents.thresholds import browsing_curve, focus_curve
from graph.intents.model import MODEL_PATH, IntentWeights, LocalIntentModel
from graph.intents.training import Fitted, fit
from graph.intents.utterances import read_utterances
from graph.options import GraphOptions
from graph.parts import Encoder

FOLDER = MODEL_PATH.parent
CROSS_VALIDATED = "cross-validated"
HELD_OUT = "held-out test rows"


@dataclass(frozen=True, slots=True)
class Release:
    """A trained model, ready to be written.

    Attributes:
        weights: The content of `model.npz`.
        card: The content of `MODEL_CARD.md`.
        figures: What was measured, by the name of the rows.
    """

    weights: bytes
    card: str
    figures: list[tuple[str, IntentMetrics]]

    def write(self, folder: Path = FOLDER) -> None:
        """Write both files."""
        (folder / "model.npz").write_bytes(self.weights)
        (folder / "MODEL_CARD.md").write_text(self.card, encoding="utf-8")


def train(encoder: Encoder, test: Path | None = None) -> Release:
    """Train on the utterances of the project.

    Args:
        encoder: Embeds the texts.
        test: Rows `{text, label}` that training does not see, one JSON object a line.
    """
    examples = read_utterances()
    fitted = fit(examples, encoder)
    figures = [(CROSS_VALIDATED, measure(fitted.held_back, fitted.gold, fitted.weights.labels))]
    if test is not None:
        figures.append((HELD_OUT, evaluate(fitted.weights, encoder, test)))
    sizes = (len({(example.label, example.group) for example in examples}), len(examples))
    rows = _held_back_rows(fitted)
    card = render_card(sizes, figures, browsing_curve(rows), focus_curve(rows, GraphOptions()))
    return Release(fitted.weights.to_bytes(), card, figures)


def evaluate(weights: IntentWeights, encoder: Encoder, test: Path) -> IntentMetrics:
    """Measure a model on labelled rows of a file, one question at a time, as it runs."""
    rows = [json.loads(line) for line in test.read_text(encoding="utf-8").splitlines()]
    model = LocalIntentModel(encoder, weights)
    probabilities = np.array([list(model.distribution(row["text"]).values()) for row in rows])
    gold = np.array([weights.labels.index(row["label"]) for row in rows], dtype=np.int64)
    return measure(probabilities, gold, weights.labels)


def _held_back_rows(fitted: Fitted) -> list[tuple[dict[str, float], str]]:
    labels = fitted.weights.labels
    return [
        (dict(zip(labels, row.tolist(), strict=True)), labels[column])
        for row, column in zip(fitted.held_back, fitted.gold, strict=True)
    ]
