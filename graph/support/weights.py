"""What the support model has learnt, as one small file."""

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.rewriting.learned.trees import Trees
from graph.support.features import NAMES
from graph.support.passages import Rarity
from graph.trained.logistic import WeightsError

MODEL_PATH = Path(__file__).with_name("model.npz")
THRESHOLD = 0.5
"""A sentence is supported from this probability on: the probabilities are calibrated, so it is then the likelier."""
STEPS = 100
"""Rarity is kept in so many steps."""


@dataclass(frozen=True, slots=True)
class SupportWeights:
    """Boosted trees over a few figures.

    Attributes:
        rarity: How much words say.
        trees: Log odds that a claim is supported.
    """

    rarity: Rarity
    trees: Trees

    def probabilities(self, described: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities that each claim is supported, shape `(claims,)`."""
        return np.asarray(1 / (1 + np.exp(-self.trees.predict(described))), dtype=np.float32)

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        buffer = io.BytesIO()
        known = sorted(self.rarity.known)
        arrays: dict[str, Any] = self.trees.to_arrays()
        np.savez_compressed(
            buffer,
            stems=np.frombuffer("\n".join(known).encode(), dtype=np.uint8),
            rarity=np.array([round(self.rarity.known[stem] * STEPS) for stem in known], dtype=np.uint8),
            **arrays,
        )
        return buffer.getvalue()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "SupportWeights":
        """Read the weights from a file.

        Raises:
            WeightsError: The file is missing or is not a support model.
        """
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
                trees = Trees.from_arrays(arrays)
                _check(trees)
                stems = arrays["stems"].tobytes().decode().split("\n")
                rarity = Rarity(dict(zip(stems, (arrays["rarity"] / STEPS).tolist(), strict=True)))
                return cls(rarity, trees)
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = f"The model {path} cannot be read ({error!r}). Train it again with `footnote train support`."
            raise WeightsError(message) from error


def _check(trees: Trees) -> None:
    if trees.features != NAMES:
        message = "it was made for other features"
        raise ValueError(message)


@cache
def shipped() -> SupportWeights:
    """The weights that come with this package, read once."""
    return SupportWeights.load()
