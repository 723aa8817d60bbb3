"""The trained weights of an intent model, as one small file."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
MODEL_PATH = Path(__file__).with_name("model.npz")


class IntentWeightsError(Exception):
    """The file of an intent model cannot be used."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The examples as a classifier of their own: a text has the labels of those nearest to it.

    Attributes:
        centre: Mean of the embeddings, shape `(dimensions,)`.
        projection: Onto their principal components, shape `(dimensions, components)`.
        examples: The projected examples, as unit vectors, shape `(examples, components)`.
        gold: Column of each example's label.
    """

    centre: Floats
    projection: Floats
    examples: Floats
    gold: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class IntentWeights:
    """Two linear classifiers and the nearest examples, and how their log probabilities are put together.

    Attributes:
        labels: The classes, in the order of the columns.
        dense: Weights of the sentence embedding, shape `(dimensions, labels)`.
        dense_bias: Shape `(labels,)`.
        idf: Inverse document frequency of each lexical bucket.
        lexical: Weights of the lexical features, shape `(buckets, labels)`.
        lexical_bias: Shape `(labels,)`.
        neighbours: The examples themselves, which judge by the embedding as well.
        share: Weight of the dense classifier in the mean of the two, 0 to 1.
        sharpness: Factor on the mean log probabilities, the inverse of a temperature.
    """

    labels: tuple[str, ...]
    dense: Floats
    dense_bias: Floats
    idf: Floats
    lexical: Floats
    lexical_bias: Floats
    neighbours: Neighbours
    share: float
    sharpness: float

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same weights."""
        buffer = io.BytesIO()
        np.savez(
            buffer,
            labels=np.array(self.labels),
            dense=self.dense.astype(np.float16),
            dense_bias=self.dense_bias,
            idf=self.idf.astype(np.float16),
            lexical=self.lexical.astype(np.float16),
            lexical_bias=self.lexical_bias,
            centre=self.neighbours.centre,
            projection=self.neighbours.projection.astype(np.float16),
            examples=self.neighbours.examples.astype(np.float16),
            gold=self.neighbours.gold.astype(np.int16),
            mixture=np.array([self.share, self.sharpness]),
        )
        return buffer.getvalue()

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "IntentWeights":
        """Read the weights from a file.

        Raises:
            IntentWeightsError: The file is missing or is not an intent model.
        """
        try:
            return cls.read(io.BytesIO(path.read_bytes()))
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = (
                f"The intent model {path} cannot be read ({error}). Train it again: `footnote train intent` or `flags`."
            )
            raise IntentWeightsError(message) from error

    @classmethod
    def read(cls, file: IO[bytes]) -> "IntentWeights":
        """Read the weights from what `to_bytes` wrote.

        Raises:
            ValueError: It is no intent model; or `KeyError`, `OSError`, `EOFError`, by what is wrong with it.
        """
        with np.load(file, allow_pickle=False) as arrays:
            share, sharpness = arrays["mixture"].tolist()
            return cls(
                labels=tuple(arrays["labels"].tolist()),
                **{
                    name: arrays[name].astype(np.float32)
                    for name in ("dense", "dense_bias", "idf", "lexical", "lexical_bias")
                },
                neighbours=Neighbours(
                    **{name: arrays[name].astype(np.float32) for name in ("centre", "projection", "examples")},
                    gold=arrays["gold"].astype(np.int64),
                ),
                share=share,
                sharpness=sharpness,
            )
