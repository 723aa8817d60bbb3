"""What all small trained models share: the encoder they read text with, folds by content, and logistic regression."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Unit vectors, one a row."""


class Encoder(Protocol):
    """A sentence embedding model."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, shape `(len(texts), dimensions)`."""
        ...


FOLDS = 5


def fold_of(key: str) -> int:
    """The fold of all examples that share a key, such as a product's id; a new example moves no other."""
    return zlib.crc32(key.encode()) % FOLDS


def inner_fold_of(key: str) -> int:
    """A second fold, which has nothing to do with the first: for a cross-validation within one."""
    return zlib.crc32(key.encode()) // FOLDS % FOLDS


_DIGITS = 6
_CERTAIN = 60.0
"""Log odds beyond which a probability is 0 or 1 in any number."""


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

    @classmethod
    def fit(
        cls,
        names: tuple[str, ...],
        described: NDArray[np.float64],
        answers: NDArray[np.bool_],
        regularisation: float = 1.0,
    ) -> "Logistic":
        """Learn from described examples.

        Args:
            names: Names of the features.
            described: Shape `(examples, features)`.
            answers: What is true of each example.
            regularisation: The inverse strength C, over standardised features.
        """
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - heavy

        centre, spread = described.mean(axis=0), described.std(axis=0)
        spread[spread == 0] = 1.0  # what never differs teaches nothing
        model = LogisticRegression(C=regularisation).fit((described - centre) / spread, answers)
        coefficients = model.coef_[0] / spread
        intercept = float(model.intercept_[0] - coefficients @ centre)
        return cls(names, tuple(round(float(one), _DIGITS) for one in coefficients), round(intercept, _DIGITS))

    def log_odds(self, described: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log odds of each example, shape `(examples,)`."""
        return np.asarray(described @ np.array(self.coefficients) + self.intercept)

    def probabilities(self, described: NDArray[np.float64]) -> NDArray[np.float32]:
        """Probabilities of each example, shape `(examples,)`."""
        bounded = np.clip(self.log_odds(described), -_CERTAIN, _CERTAIN)
        return np.asarray(1 / (1 + np.exp(-bounded)), dtype=np.float32)

    def table(self) -> str:
        """Features and their weights as rows of a Markdown table."""
        counted = zip((*self.names, "intercept"), (*self.coefficients, self.intercept), strict=True)
        return "".join(f"| {name} | {value:+.3f} |\n" for name, value in counted)

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        content = {"coefficients": dict(zip(self.names, self.coefficients, strict=True)), "intercept": self.intercept}
        return (json.dumps(content, indent=2) + "\n").encode()

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
            content = json.loads(path.read_text(encoding="utf-8"))
            coefficients = tuple(float(content["coefficients"][name]) for name in names)
            return cls(names, coefficients, float(content["intercept"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"The model {path} cannot be read ({error!r}). Train it again with `{command}`."
            raise WeightsError(message) from error
