"""How good a polarity model is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.intents.calibration import calibration_error
from graph.polarity.packs import Judged


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over judged evidence.

    Attributes:
        rows: Pieces of evidence.
        decided: Those that say yes or no; the next two figures are over those.
        accuracy: Share whose likelier of yes and no is the right one.
        said: Share of which yes or no is said at the threshold.
        yes_precision: Share of those said to be yes that are.
        no_precision: Share of those said to be no that are.
        wrong_way: Share of all said that are the other way about, and not merely undecided.
        ece: Expected calibration error of yes and of no.
    """

    rows: int
    decided: int
    accuracy: float
    said: float
    yes_precision: float
    no_precision: float
    wrong_way: float
    ece: float

    def __str__(self) -> str:
        return (
            f"accuracy {self.accuracy:.3f}, said {self.said:.3f}, precision yes {self.yes_precision:.3f}, "
            f"no {self.no_precision:.3f}, wrong way {self.wrong_way:.3f}, ECE {self.ece:.3f}, n {self.decided}"
        )


def measure(rows: Sequence[Judged], probabilities: NDArray[np.float32], least: float) -> Figures:
    """Measure probabilities of yes and of no, shape `(len(rows), 2)`, said from `least` on."""
    labels = np.array([row.label for row in rows])
    yes, no = labels == "yes", labels == "no"
    decided, said = yes | no, probabilities >= least
    truth = np.stack([yes, no], axis=1)
    wrong = (said & truth[:, ::-1]).sum() / max(said.sum(), 1)
    return Figures(
        rows=len(rows),
        decided=int(decided.sum()),
        accuracy=_share(probabilities[decided].argmax(axis=1) == no[decided]),
        said=_share(said[decided].any(axis=1)),
        yes_precision=_share(yes[said[:, 0]]),
        no_precision=_share(no[said[:, 1]]),
        wrong_way=float(wrong),
        ece=calibration_error(probabilities.ravel().astype(np.float64), truth.ravel()),
    )


def _share(right: NDArray[np.bool_]) -> float:
    return float(right.mean()) if len(right) else float("nan")
