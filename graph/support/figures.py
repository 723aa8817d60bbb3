"""How good a support model is, in the field's usual figures."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.intents.calibration import calibration_error


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over judged claims.

    Attributes:
        rows: Claims.
        auroc: Area under the receiver operating characteristic.
        balanced_accuracy: Mean share of supported and of unsupported claims that are told right.
        macro_f1: Mean F1 of the two.
        ece: Expected calibration error.
    """

    rows: int
    auroc: float
    balanced_accuracy: float
    macro_f1: float
    ece: float

    def __str__(self) -> str:
        return (
            f"AUROC {self.auroc:.3f}, balanced accuracy {self.balanced_accuracy:.3f}, macro F1 {self.macro_f1:.3f}, "
            f"ECE {self.ece:.3f}, n {self.rows}"
        )


def measure(labels: NDArray[np.bool_], probabilities: NDArray[np.float32], threshold: float) -> Figures:
    """Measure probabilities against labels, both kinds of which must be there, at a threshold."""
    from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score  # noqa: PLC0415 - heavy

    accepted = probabilities >= threshold
    confidence = np.maximum(probabilities, 1 - probabilities).astype(np.float64)
    return Figures(
        rows=len(labels),
        auroc=float(roc_auc_score(labels, probabilities)),
        balanced_accuracy=float(balanced_accuracy_score(labels, accepted)),
        macro_f1=float(f1_score(labels, accepted, average="macro")),
        ece=calibration_error(confidence, labels == (probabilities >= 0.5)),  # noqa: PLR2004 - the likelier of the two
    )
