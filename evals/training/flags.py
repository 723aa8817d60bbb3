"""Training of the flags: from their examples to the two files that ship."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.training.flag_examples import read_examples
from evals.training.intents.figures import IntentMetrics, measure
from graph.intents.training import Fitted, fit
from graph.parts import Encoder
from graph.rewriting.flags import LIVE_AGENT, MODEL_PATH, SEARCHABLE, flags_of

CARD_PATH = MODEL_PATH.with_name("FLAGS_MODEL_CARD.md")


@dataclass(frozen=True, slots=True)
class FlagFigures:
    """How well the flags are read from examples that were held back.

    Attributes:
        searchable_accuracy: Share of messages whose `searchable` is right.
        live_agent_precision: Share of those read to want a person that do.
        live_agent_recall: Share of those that want a person in which it is read.
    """

    searchable_accuracy: float
    live_agent_precision: float
    live_agent_recall: float


@dataclass(frozen=True, slots=True)
class FlagRelease:
    """A trained reader of flags, ready to be written.

    Attributes:
        weights: The content of `flags.npz`.
        card: The content of `FLAGS_MODEL_CARD.md`.
        labels: Figures of the four labels, cross-validated.
        flags: Figures of the two flags, cross-validated.
    """

    weights: bytes
    card: str
    labels: IntentMetrics
    flags: FlagFigures

    def write(self, weights: Path = MODEL_PATH, card: Path = CARD_PATH) -> None:
        """Write both files."""
        weights.write_bytes(self.weights)
        card.write_text(self.card, encoding="utf-8")


def train_flags(encoder: Encoder) -> FlagRelease:
    """Train on the utterances beside this file and a sample of the intents'; the same data give the same files."""
    examples = read_examples()
    fitted = fit(examples, encoder)
    labels = measure(fitted.held_back, fitted.gold, fitted.weights.labels)
    flags = _flag_figures(fitted)
    card = _CARD.format(
        rows=labels.rows,
        accuracy=labels.accuracy,
        ece=labels.ece,
        searchable=flags.searchable_accuracy,
        precision=flags.live_agent_precision,
        recall=flags.live_agent_recall,
    )
    return FlagRelease(fitted.weights.to_bytes(), card, labels, flags)


def _flag_figures(fitted: Fitted) -> FlagFigures:
    names = fitted.weights.labels
    read = [flags_of(dict(zip(names, row, strict=True))) for row in fitted.held_back.tolist()]
    gold = [names[column] for column in fitted.gold]
    searchable = np.array([flags.searchable for flags in read]) == [label in SEARCHABLE for label in gold]
    found = np.array([flags.live_agent for flags in read])
    wanted = np.array([label in LIVE_AGENT for label in gold])
    return FlagFigures(float(searchable.mean()), float(wanted[found].mean()), float(found[wanted].mean()))


_CARD = """# Model of the flags

Reads off a message whether there is a question to look up (`searchable`) and whether a person is wanted (`live_agent`).

* **Model**: four labels (`question`, `person`, `both`, `neither`) by the two averaged logistic regressions that the
  intents use (`graph/intents/MODEL_CARD.md`); each flag is true where its two labels together are likelier than not.
* **Data**: utterances written for this project (`flag_utterances/`, one file a label), a sample of the intents'
  utterances as questions, and messages put together from two of them; {rows} examples in all. No customer data, no row
  of a public data set.
* **Training**: `footnote train flags`. The same data give the same file, byte for byte, on one machine.
* **Limits**: English. The cross-validated figures flatter: messages put together from two utterances share their parts.
  `footnote eval routing --data tests/routing.jsonl` measures on rows of another hand, which training never sees.

| cross-validated | value |
|---|---|
| examples | {rows} |
| accuracy of the four labels | {accuracy:.3f} |
| calibration error | {ece:.3f} |
| `searchable`, accuracy | {searchable:.3f} |
| `live_agent`, precision | {precision:.3f} |
| `live_agent`, recall | {recall:.3f} |
"""
