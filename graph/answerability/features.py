"""What is looked at: how relevant the best of the evidence is, and of how many it is the best."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

NAMES = ("log odds of the best", "log of their number")
MOST = 10
"""Of a product's evidence the best are looked at; more were never seen in training."""

_LEAST = 1e-4


def features(relevances: Sequence[float]) -> NDArray[np.float64]:
    """Describe what a search found by the reranker's probabilities, best first; shape `(len(NAMES),)`."""
    best = min(max(relevances[0], _LEAST), 1 - _LEAST)
    return np.array([np.log(best / (1 - best)), np.log(min(len(relevances), MOST))])
