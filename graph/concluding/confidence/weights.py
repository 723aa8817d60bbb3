"""What confidence has learnt: the log odds of each signal."""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.trained.logistic import Logistic

MODEL_PATH = Path(__file__).with_name("model.json")

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
}
"""The signals that are looked at, and between what their log odds may lie: no sign is learnt against its meaning.

Answers with weak support are never shown, so their effect cannot be learnt; the odds fall at least with the support.
"""
NAMES = tuple(BOUNDS)
_LEAST = 1e-3


def described(signals: Mapping[str, float]) -> NDArray[np.float64]:
    """Signals as the model reads them, shape `(len(NAMES),)`; of the support its logarithm."""
    return np.array(
        [math.log(max(signals[name], _LEAST)) if name == "support" else signals[name] for name in NAMES],
        dtype=np.float64,
    )


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
