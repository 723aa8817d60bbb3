"""What the reader gives for a pair, and how its logits become probabilities."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evals.training.reader_examples import Example

SAID = ("yes", "no", "depends", "neither")
OUTPUTS = ("answers", *SAID, "supported")
ANSWERS, SUPPORTED = OUTPUTS.index("answers"), OUTPUTS.index("supported")
TOLD = slice(1, 5)
"""Where the outputs of `SAID` stand, of which one is true."""
SLOPES = np.arange(0.3, 1.55, 0.05)

Logits = NDArray[np.float64]
"""Shape `(pairs, len(OUTPUTS))`."""
Calibration = Mapping[str, Sequence[float]]
"""Slope and offset of the logits of `answers` and `supported`, and one slope for those of `SAID`."""


def probabilities(logits: Logits, calibration: Calibration) -> Logits:
    """Probabilities of the same shape; those of `SAID` sum to 1."""
    from scipy.special import expit, softmax  # noqa: PLC0415 - heavy

    found = logits.copy()
    for name, at in (("answers", ANSWERS), ("supported", SUPPORTED)):
        slope, offset = calibration[name]
        found[:, at] = expit(slope * logits[:, at] + offset)
    found[:, TOLD] = softmax(calibration["said"][0] * logits[:, TOLD], axis=1)
    return found


def calibrated(examples: Sequence[Example], logits: Logits) -> Calibration:
    """Fit the calibration to pairs that were not learnt from (Platt scaling; one temperature for what is said)."""
    from scipy.special import log_softmax  # noqa: PLC0415 - heavy, with the next
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    found: dict[str, list[float]] = {}
    known: Mapping[str, Callable[[Example], float | bool | None]] = {
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
