"""What the reranker has learnt: one number a feature, in a file that people can read."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.retrieval.reranking.features import NAMES

MODEL_PATH = Path(__file__).with_name("model.json")


class RerankerWeightsError(Exception):
    """The file of a reranker cannot be used."""


@dataclass(frozen=True, slots=True)
class RerankerWeights:
    """A logistic regression.

    Attributes:
        coefficients: Log odds per unit of each feature, in the order of `NAMES`.
        intercept: Log odds of a candidate whose features are all 0.
    """

    coefficients: tuple[float, ...]
    intercept: float

    def probabilities(self, described: NDArray[np.float64]) -> NDArray[np.float32]:
        """Probabilities of candidates, described as `features.features` does it."""
        log_odds = described @ np.array(self.coefficients) + self.intercept
        return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32)

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        content = {
            "coefficients": dict(zip(NAMES, self.coefficients, strict=True)),
            "intercept": self.intercept,
        }
        return (json.dumps(content, indent=2) + "\n").encode()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "RerankerWeights":
        """Read the weights from a file.

        Raises:
            RerankerWeightsError: The file is missing or is not a reranker.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            coefficients = tuple(float(content["coefficients"][name]) for name in NAMES)
            return cls(coefficients, float(content["intercept"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The reranker {path} cannot be read ({error}). Train it again with `footnote train reranker`."
            raise RerankerWeightsError(message) from error


@cache
def shipped() -> RerankerWeights:
    """The weights that come with this package, read once."""
    return RerankerWeights.load()
