"""What the polarity model has learnt."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.polarity.features import BARRING, DENYING, NAMES, Features
from graph.trained.logistic import Logistic, WeightsError

MODEL_PATH = Path(__file__).with_name("model.json")
LEAST = 0.75
"""Least probability with which yes or no is said; below it neither is."""
_DENYING, _BARRING = ([NAMES.index(name) for name in sorted(names)] for names in (DENYING, BARRING))


@dataclass(frozen=True, slots=True)
class PolarityWeights:
    """Two logistic regressions over the same features.

    Attributes:
        decides: Whether a statement decides the question at all.
        affirms: Whether one that does says yes.
    """

    decides: Logistic
    affirms: Logistic

    def probabilities(self, described: Features) -> NDArray[np.float32]:
        """Probabilities of yes and of no, shape `(examples, 2)`: no no without a sign of denial."""
        decided, yes = self.decides.probabilities(described), self.affirms.probabilities(described)
        denies, bars = (described[:, places].any(axis=1) for places in (_DENYING, _BARRING))
        return np.stack([decided * yes * ~bars, decided * (1 - yes) * denies], axis=1)

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        both = {"decides": json.loads(self.decides.to_bytes()), "affirms": json.loads(self.affirms.to_bytes())}
        return (json.dumps(both, indent=2) + "\n").encode()


def load(path: Path = MODEL_PATH) -> PolarityWeights:
    """Read the weights from a file.

    Raises:
        WeightsError: The file is missing or is not a polarity model.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        decides, affirms = (_logistic(content[name]) for name in ("decides", "affirms"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"The model {path} cannot be read ({error!r}). Train it again with `footnote train polarity`."
        raise WeightsError(message) from error
    return PolarityWeights(decides, affirms)


def _logistic(content: dict[str, dict[str, float] | float]) -> Logistic:
    weights, intercept = content["coefficients"], content["intercept"]
    if not isinstance(weights, dict) or isinstance(intercept, dict):
        raise TypeError(content)
    return Logistic(NAMES, tuple(float(weights[name]) for name in NAMES), float(intercept))


@cache
def shipped() -> PolarityWeights:
    """The weights that come with this package, read once."""
    return load()
