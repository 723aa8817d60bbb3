"""How good answerability is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.answerability.situations import Situation
from graph.intents.calibration import calibration_error


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over situations.

    Attributes:
        rows: How many.
        auroc: How well answered ones are told from those whose best evidence does not answer.
        ece: Expected calibration error.
    """

    rows: int
    auroc: float
    ece: float

    def __str__(self) -> str:
        return f"AUROC {self.auroc:.3f}, ECE {self.ece:.3f}, n {self.rows}"


def measure(situations: Sequence[Situation], probabilities: NDArray[np.float32]) -> Figures:
    """Measure the probabilities given to situations."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415 - heavy

    answers = np.array([one.answers for one in situations])
    return Figures(
        rows=len(situations),
        auroc=float(roc_auc_score(answers, probabilities)),
        ece=calibration_error(probabilities.astype(np.float64), answers),
    )
