"""From the benchmark pack to the two files that ship: the weights and their model card."""

from dataclasses import dataclass
from pathlib import Path

from evals.training.continuity.fitting import Fitted, fit
from evals.training.continuity.packs import DIALOGUES, LICENCE, read_questions
from evals.training.release import Release
from graph.parts import Encoder
from graph.retrieval.history.memory import MODEL_PATH

CROSS_VALIDATED = "train, cross-validated"

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
class ContinuityMetrics:
    """How well going on is told from a change of subject.

    Attributes:
        accuracy: Share of examples that are told right.
        kept: Of those that go on.
        dropped: Of those that do not.
        rows: Examples.
    """

    accuracy: float
    kept: float
    dropped: float
    rows: int

    def __str__(self) -> str:
        return f"accuracy {self.accuracy:.3f}, n {self.rows}"


def train(encoder: Encoder, bench: Path) -> Release[ContinuityMetrics]:
    """Train on the train rows of the pack.

    Args:
        encoder: Embeds the texts.
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The pack cannot be used.
    """
    fitted = fit(read_questions(bench), encoder)
    right = (fitted.log_odds > 0) == fitted.continues
    figures = ContinuityMetrics(
        accuracy=float(right.mean()),
        kept=float(right[fitted.continues].mean()),
        dropped=float(right[~fitted.continues].mean()),
        rows=len(right),
    )
    return Release(MODEL_PATH, fitted.weights.to_bytes(), _card(fitted, figures), {CROSS_VALIDATED: figures})


def _card(fitted: Fitted, figures: ContinuityMetrics) -> str:
    return _CARD.format(
        examples=figures.rows,
        pack=DIALOGUES.parent,
        licence=LICENCE,
        accuracy=figures.accuracy,
        kept=figures.kept,
        dropped=figures.dropped,
        weights=fitted.weights.table(),
    )
