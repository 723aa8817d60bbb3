"""What was learnt about questions that go on: a logistic regression, in a file that people can read."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from graph.retrieval.history.features import NAMES, Features

MODEL_PATH = Path(__file__).with_name("model.json")


class ContinuityWeightsError(Exception):
    """The file of the continuity model cannot be used."""


@dataclass(frozen=True, slots=True)
class ContinuityWeights:
    """A logistic regression.

    Attributes:
        coefficients: Log odds per unit of each feature, in the order of `NAMES`.
        intercept: Log odds where all features are 0.
    """

    coefficients: tuple[float, ...]
    intercept: float

    def log_odds(self, described: Features) -> float:
        """Log odds that a question goes on from what was said before it."""
        return float(described @ np.array(self.coefficients)) + self.intercept

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        content = {"coefficients": dict(zip(NAMES, self.coefficients, strict=True)), "intercept": self.intercept}
        return (json.dumps(content, indent=2) + "\n").encode()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "ContinuityWeights":
        """Read the weights from a file.

        Raises:
            ContinuityWeightsError: The file is missing or is not a continuity model.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            coefficients = tuple(float(content["coefficients"][name]) for name in NAMES)
            return cls(coefficients, float(content["intercept"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The model {path} cannot be read ({error}). Train it again with `footnote train continuity`."
            raise ContinuityWeightsError(message) from error


@cache
def shipped() -> ContinuityWeights:
    """The weights that come with this package, read once."""
    return ContinuityWeights.load()
