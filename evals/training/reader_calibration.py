"""Fitting the reader's calibration."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evals.training.reader_examples import ReaderExample
from graph.reader.reader import OUTPUTS, SAID, TOLD, Calibration, Logits

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
