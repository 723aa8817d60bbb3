"""From the benchmark pack to the two files that ship: the weights and their model card."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graph.parts import Encoder
from graph.retrieval.history.features import NAMES
from graph.retrieval.history.packs import DIALOGUES, LICENCE, read_questions
from graph.retrieval.history.training import Fitted, fit

FOLDER = Path(__file__).parent

_CARD = """# Continuity

Says how far a question goes on from what was said before it. Retrieval searches earlier turns beside a question as far
as it does, and forgets them where the subject changes.

* **Model**: a logistic regression over what question and history mean, say and find; `model.json` holds its numbers.
* **Data**: {examples:,} examples from train rows of `{pack}` ({licence}), found through `FOOTNOTE_BENCH` and
  not copied here: a question after its own history goes on, the same question, rewritten to stand alone, after another
  dialogue's does not.
* **Training**: `footnote train continuity`. The same data give the same file, byte for byte, on one machine with one
  thread; elsewhere the same figures to three decimals.
* **Limits**: English. A change of subject within one document is not told from going on.

## Figures

Held back by dialogue, five folds: accuracy {accuracy:.3f}; {kept:.3f} of those that go on and {dropped:.3f} of those
that do not are told right.

## What counts

| feature | log odds per unit |
|---|---|
{weights}"""


@dataclass(frozen=True, slots=True)
class Release:
    """A trained model, ready to be written.

    Attributes:
        weights: The content of `model.json`.
        card: The content of `MODEL_CARD.md`.
        accuracy: Share of held-back examples that are told right.
    """

    weights: bytes
    card: str
    accuracy: float

    def write(self, folder: Path = FOLDER) -> None:
        """Write both files."""
        (folder / "model.json").write_bytes(self.weights)
        (folder / "MODEL_CARD.md").write_text(self.card, encoding="utf-8")


def train(encoder: Encoder, bench: Path) -> Release:
    """Train on the train rows of the pack.

    Args:
        encoder: Embeds the texts.
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The pack cannot be used.
    """
    fitted = fit(read_questions(bench), encoder)
    right = (fitted.log_odds > 0) == fitted.continues
    return Release(fitted.weights.to_bytes(), _card(fitted), float(right.mean()))


def _card(fitted: Fitted) -> str:
    right = (fitted.log_odds > 0) == fitted.continues
    counted = zip((*NAMES, "intercept"), (*fitted.weights.coefficients, fitted.weights.intercept), strict=True)
    return _CARD.format(
        examples=len(right),
        pack=DIALOGUES.parent,
        licence=LICENCE,
        accuracy=right.mean(),
        kept=np.mean(right[fitted.continues]),
        dropped=np.mean(right[~fitted.continues]),
        weights="".join(f"| {name} | {value:+.3f} |\n" for name, value in counted),
    )
