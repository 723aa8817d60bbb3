"""What all small trained models share: the encoder they read text with, and logistic regression."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

Vectors = NDArray[np.float32]
"""Unit vectors, one a row."""


class Encoder(Protocol):
    """A sentence embedding model."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, shape `(len(texts), dimensions)`."""
        ...


EVEN = 0.5
"""The probability from which on something is likelier than not; where nothing tells, it is as likely as not."""
CLEAR = 0.8
"""The probability from which on a reading is taken where another one would be as good."""


SURELY = 1e-3
"""The probability beyond which what is read tells no more."""


def log_odds(probability: float) -> float:
    """The log odds of a probability, as far as it tells."""
    return float(logit(min(max(probability, SURELY), 1 - SURELY)))


class WeightsError(Exception):
    """The file of a trained part cannot be used."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression.

    Attributes:
        names: Names of the features.
        coefficients: Log odds per unit of each, in that order.
        intercept: Log odds where all features are 0.
    """

    names: tuple[str, ...]
    coefficients: tuple[float, ...]
    intercept: float

    def log_odds(self, described: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log odds of each example, shape `(examples,)`."""
        return np.asarray(described @ np.array(self.coefficients) + self.intercept)

    def probabilities(self, described: NDArray[np.float64]) -> NDArray[np.float32]:
        """Probabilities of each example, shape `(examples,)`."""
        return np.asarray(expit(self.log_odds(described)), dtype=np.float32)

    @property
    def content(self) -> dict[str, object]:
        """What a file keeps of it."""
        return {"coefficients": dict(zip(self.names, self.coefficients, strict=True)), "intercept": self.intercept}

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        return (json.dumps(self.content, indent=2) + "\n").encode()

    @classmethod
    def of(cls, content: Mapping[str, Any], names: tuple[str, ...]) -> "Logistic":
        """A model of what a file keeps, for these features.

        Raises:
            ValueError, KeyError, TypeError: It was made for other features.
        """
        coefficients = tuple(float(content["coefficients"][name]) for name in names)
        return cls(names, coefficients, float(content["intercept"]))

    @classmethod
    def load(cls, path: Path, names: tuple[str, ...], command: str) -> "Logistic":
        """Read a model from a file.

        Args:
            path: The file.
            names: The features it must be for.
            command: What makes the file again.

        Raises:
            WeightsError: The file is missing or was made for other features.
        """
        try:
            return cls.of(json.loads(path.read_text(encoding="utf-8")), names)
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The model {path} cannot be read ({error!r}). Train it again with `{command}`."
            raise WeightsError(message) from error
