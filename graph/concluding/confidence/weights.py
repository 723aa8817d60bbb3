"""What confidence has learnt: the log odds of each signal, and of two that are made of them."""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.trained.logistic import Logistic

MODEL_PATH = Path(__file__).with_name("model.json")

STEEP = 0.75
"""From this on the responder is nearly sure, and each step says more."""
STEEPER = "responder above 0.75"
SHOPS_OWN = "responder by primary"

BOUNDS: dict[str, tuple[float | None, float | None]] = {
    "responder": (0, None),
    "relevance": (0, None),
    "lead": (0, None),
    "coverage": (0, None),
    "support": (1, None),
    "least support": (0, None),
    "primary": (0, None),
    "reviews": (None, 0),
    "customer answers": (None, 0),
    "descriptions": (None, 0),
    "agreement": (0, None),
    "opposition": (None, 0),
    "entropy": (None, 0),
    "catalog": (0, None),
    "unnamed": (None, 0),
    "missing": (None, 0),
    "widened": (None, 0),
    STEEPER: (0, None),
    SHOPS_OWN: (0, None),
}
"""What is looked at, and between what their log odds may lie: no sign is learnt against its meaning.

Answers with weak support are never shown, so their effect cannot be learnt; the odds fall at least with the support.
"""
NAMES = tuple(BOUNDS)
_LEAST = 1e-3


def described(signals: Mapping[str, float]) -> NDArray[np.float64]:
    """Signals as the model reads them, shape `(len(NAMES),)`; of the support its logarithm."""
    responder = signals["responder"]
    read = {
        **signals,
        "support": math.log(max(signals["support"], _LEAST)),
        STEEPER: max(0.0, responder - STEEP),
        # How sure the responder is of a customer's words tells less than how sure it is of the shop's own.
        SHOPS_OWN: responder * signals["primary"],
    }
    return np.array([read[name] for name in NAMES], dtype=np.float64)


def right(signals: Mapping[str, float]) -> float:
    """The probability that an answer with these signals is right and supported."""
    return float(shipped().probabilities(described(signals)[None])[0])


def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file.

    Raises:
        WeightsError: The file is missing or is for other signals.
    """
    return Logistic.load(path, NAMES, "footnote train confidence")


@cache
def shipped() -> Logistic:
    """The weights that come with this package, read once."""
    return load()
