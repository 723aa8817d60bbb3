"""Calibration of the reader, and its figures on shops that were held back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evals.training.reader_examples import ReaderExample
from graph.reader.reader import ANSWERS, OUTPUTS, SAID, SUPPORTED, TOLD, Calibration, Logits, probabilities

SLOPES = np.arange(0.3, 1.55, 0.05)


def calibrated(examples: Sequence[ReaderExample], logits: Logits) -> Calibration:
    """Fit the calibration to pairs that were not learnt from (Platt scaling; one temperature for what is said)."""
    from scipy.special import log_softmax  # noqa: PLC0415 - heavy, with the next
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    found: dict[str, list[float]] = {}
    known: Mapping[str, Callable[[ReaderExample], float | bool | None]] = {
        "answers": lambda one: one.answers,
        "supported": lambda one: one.supported,
    }
    for name, read in known.items():
        rows = [at for at, one in enumerate(examples) if read(one) is not None]
        line = LogisticRegression(C=100.0)
        line.fit(logits[rows, OUTPUTS.index(name)][:, None], [bool(read(examples[at])) for at in rows])
        found[name] = [round(float(line.coef_[0, 0]), 4), round(float(line.intercept_[0]), 4)]
    told = [(at, SAID.index(one.said)) for at, one in enumerate(examples) if one.said]
    rows, right = [at for at, _ in told], [place for _, place in told]
    own = logits[rows, TOLD]
    likely = [log_softmax(slope * own, axis=1)[np.arange(len(own)), right].sum() for slope in SLOPES]
    return found | {"said": [round(float(SLOPES[int(np.argmax(likely))]), 2)]}


EVEN, SURE = 0.5, 0.75
"""A claim is accepted, and a yes or no said, from these probabilities on."""


@dataclass(frozen=True, slots=True)
class ReaderMetrics:
    """Figures over the pairs of one shop.

    Attributes:
        rows: How many pairs.
        answers: AUROC of what answers against what sounds close.
        claims: Balanced accuracy over statements, at even odds.
        said: Share of yes-or-no questions whose answer is told right.
        decided: Share of them of which yes or no is sure.
        wrongly: Share of those decided that are decided wrongly.
    """

    rows: int
    answers: float
    claims: float
    said: float
    decided: float
    wrongly: float

    def __str__(self) -> str:
        return (
            f"answers AUROC {self.answers:.3f}, claims balanced accuracy {self.claims:.3f}, yes or no {self.said:.3f}, "
            f"decided {self.decided:.3f}, of these wrongly {self.wrongly:.3f}, n {self.rows}"
        )


def measured(examples: Sequence[ReaderExample], logits: Logits, calibration: Calibration) -> ReaderMetrics:
    """Measure the logits of some pairs."""
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score  # noqa: PLC0415 - heavy

    found = probabilities(logits, calibration)
    asked = [at for at, one in enumerate(examples) if one.answers is not None]
    claimed = [at for at, one in enumerate(examples) if one.supported is not None]
    polar = [at for at, one in enumerate(examples) if one.said is not None and one.said != "neither"]
    said = found[polar, TOLD]
    right = said.argmax(axis=1) == [SAID.index(examples[at].said) for at in polar]
    sure = said[:, :2].max(axis=1) >= SURE
    return ReaderMetrics(
        rows=len(examples),
        answers=float(roc_auc_score([examples[at].answers == 1 for at in asked], found[asked, ANSWERS])),
        claims=float(
            balanced_accuracy_score([bool(examples[at].supported) for at in claimed], found[claimed, SUPPORTED] >= EVEN)
        ),
        said=float(right.mean()),
        decided=float(sure.mean()),
        wrongly=float(1 - right[sure].mean()) if sure.any() else 0.0,
    )
