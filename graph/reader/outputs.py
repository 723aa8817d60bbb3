"""What the reader gives for a pair, and how its logits become probabilities."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SAID = ("yes", "no", "depends", "neither")
OUTPUTS = ("answers", *SAID, "supported")
ANSWERS, YES, NO, SUPPORTED = (OUTPUTS.index(name) for name in ("answers", "yes", "no", "supported"))
TOLD = slice(1, 5)
"""Where the outputs of `SAID` stand, of which one is true."""

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
