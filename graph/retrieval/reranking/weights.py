"""What the reranker has learnt, as one small file."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MODEL_PATH = Path(__file__).with_name("model.npz")


class RerankerWeightsError(Exception):
    """The file of a reranker cannot be used."""


@dataclass(frozen=True, slots=True)
class RerankerWeights:
    """How words count, and what a score means.

    Attributes:
        piece_weights: How much each word piece of the vocabulary counts in a question; rare ones more.
        centre: The mean token state, shape `(dimensions,)`.
        slope: Of the logistic calibration: log odds that a candidate answers the question alone, per unit of score.
        intercept: Log odds at score 0.
    """

    piece_weights: NDArray[np.float32]
    centre: NDArray[np.float32]
    slope: float
    intercept: float

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            piece_weights=self.piece_weights.astype(np.float16),
            centre=self.centre,
            calibration=np.array([self.slope, self.intercept]),
        )
        return buffer.getvalue()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "RerankerWeights":
        """Read the weights from a file.

        Raises:
            RerankerWeightsError: The file is missing or is not a reranker.
        """
        try:
            with np.load(path, allow_pickle=False) as arrays:
                slope, intercept = arrays["calibration"].tolist()
                return cls(
                    piece_weights=arrays["piece_weights"].astype(np.float32),
                    centre=arrays["centre"].astype(np.float32),
                    slope=slope,
                    intercept=intercept,
                )
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = f"The reranker {path} cannot be read ({error}). Train it again with `footnote train reranker`."
            raise RerankerWeightsError(message) from error
