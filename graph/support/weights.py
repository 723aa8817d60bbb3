"""What the support model has learnt, as one small file."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.support.entailment.adapter import Adapter
from graph.support.features import NAMES
from graph.support.passages import Rarity
from graph.trained.logistic import WeightsError
from graph.trained.trees import Trees

MODEL_PATH = Path(__file__).with_name("model.npz")
THRESHOLD = 0.5
"""A sentence is supported from this probability on: the probabilities are calibrated, so it is then the likelier."""
STEPS = 100
"""Rarity is kept in so many steps."""


@dataclass(frozen=True, slots=True)
class SupportWeights:
    """Boosted trees over a few figures, one of which a cross-encoder gives.

    Attributes:
        rarity: How much words say.
        lines: Trees for short evidence: log odds that a claim is supported.
        pages: The same for long evidence.
        adapter: Of the cross-encoder.
    """

    rarity: Rarity
    lines: Trees
    pages: Trees
    adapter: Adapter

    def probabilities(self, described: NDArray[np.float32], long: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Probabilities that each claim is supported, shape `(claims,)`; `long` says whose evidence is."""
        odds = np.where(long, self.pages.predict(described), self.lines.predict(described))
        return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float32)

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        buffer = io.BytesIO()
        known = sorted(self.rarity.known)
        arrays: dict[str, Any] = {f"lines.{name}": one for name, one in self.lines.to_arrays().items()}
        arrays |= {f"pages.{name}": one for name, one in self.pages.to_arrays().items()}
        arrays |= {f"adapter.{name}": one for name, one in self.adapter.to_arrays().items()}
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
                lines, pages = (Trees.from_arrays(_under(name, arrays)) for name in ("lines", "pages"))
                _check(lines)
                _check(pages)
                adapter = Adapter.from_arrays(_under("adapter", arrays))
                stems = arrays["stems"].tobytes().decode().split("\n")
                rarity = Rarity(dict(zip(stems, (arrays["rarity"] / STEPS).tolist(), strict=True)))
                return cls(rarity, lines, pages, adapter)
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = f"The model {path} cannot be read ({error!r}). Train it again with `footnote train support`."
            raise WeightsError(message) from error


def _under(name: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of one part, under their own names."""
    return {key.removeprefix(f"{name}."): arrays[key] for key in arrays if key.startswith(f"{name}.")}


def _check(trees: Trees) -> None:
    if trees.features != NAMES:
        message = "it was made for other features"
        raise ValueError(message)


@cache
def shipped() -> SupportWeights:
    """The weights that come with this package, read once."""
    return SupportWeights.load()
