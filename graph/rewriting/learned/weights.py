"""What the learned rewriter has learnt, as one small file."""

import io
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from graph.rewriting.learned.deciding import Ranker
from graph.trained.trees import Trees

MODEL_PATH = Path(__file__).with_name("model.npz")
_PARTS = ("fills", "additions")


class RewriterWeightsError(Exception):
    """The file of a learned rewriter cannot be used."""


@dataclass(frozen=True, slots=True)
class RewriterWeights:
    """A ranker that can be written and read."""

    ranker: Ranker

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        parts = zip(_PARTS, (self.ranker.fills, self.ranker.additions), strict=True)
        arrays = {f"{part}.{name}": array for part, trees in parts for name, array in trees.to_arrays().items()}
        buffer = io.BytesIO()
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        return buffer.getvalue()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "RewriterWeights":
        """Read the weights from a file.

        Raises:
            RewriterWeightsError: The file is missing or is not a rewriter.
        """
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
                fills, additions = (
                    Trees.from_arrays({name.removeprefix(f"{part}."): arrays[name] for name in arrays if part in name})
                    for part in _PARTS
                )
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            message = f"The rewriter {path} cannot be read ({error}). Train it again with `footnote train rewriter`."
            raise RewriterWeightsError(message) from error
        return cls(Ranker(fills, additions))
