"""The intent model: calibrated probabilities of the intents of a text."""

import hashlib
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from graph.intents.entropy import SOURCES_BY_INTENT, IntentModel, IntentOptions
from graph.trained import Encoder, Vectors, WeightsError

BUCKETS = 2**14
_WORD = re.compile(r"[\w']+")
_DIGIT = re.compile(r"\d")
_PIECE_LENGTHS = (3, 4, 5)


def term_counts(text: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Count a text's features.

    Returns:
        The buckets that occur, ascending, and `1 + ln(count)` of each.
    """
    # Python's own hash differs from process to process.
    counts = Counter(zlib.crc32(feature.encode()) % BUCKETS for feature in _features(text))
    buckets = np.array(sorted(counts), dtype=np.int32)
    return buckets, (1 + np.log([counts[bucket] for bucket in buckets.tolist()])).astype(np.float32)


def _features(text: str) -> Iterator[str]:
    # One digit stands for all: a model number should not be learnt by heart.
    words = [match.group() for match in _WORD.finditer(_DIGIT.sub("0", text.lower()))]
    framed = ["<", *words, ">"]
    for size in (2, 3):
        yield from (" ".join(framed[i : i + size]) for i in range(len(framed) - size + 1))
    for word in words:
        yield f"={word}"
        piece = f"<{word}>"
        yield from (f"~{piece[i : i + n]}" for n in _PIECE_LENGTHS for i in range(len(piece) - n + 1))


DEEP_PARTS = 4


@runtime_checkable
class DeepEncoder(Protocol):
    """An embedding model that also shows its lower layers."""

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        """Embed texts by several layers: `DEEP_PARTS` vectors side by side, of which the first is that of `encode`."""
        ...


def deep_vectors(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """Embed texts by several layers, or by the last alone where the model shows no others."""
    return encoder.encode_deep(texts) if isinstance(encoder, DeepEncoder) else encoder.encode(texts)


def sentence_width(encoder: Encoder, deep: Vectors) -> int:
    """How many columns of an encoder's deep vectors are those of `encode`."""
    return int(deep.shape[-1]) // (DEEP_PARTS if isinstance(encoder, DeepEncoder) else 1)


Floats = NDArray[np.float32]
MODEL_PATH = Path(__file__).with_name("model.npz")


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
            WeightsError: The file is missing or is not an intent model.
        """
        try:
            return cls.read(io.BytesIO(path.read_bytes()))
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = (
                f"The intent model {path} cannot be read ({error}). Train it again: `footnote train intent` or `flags`."
            )
            raise WeightsError(message) from error

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


_NEAREST = 16
_FALLOFF = 12.0
_UNSEEN = 1e-3


def neighbour_scores(neighbours: Neighbours, vectors: Floats, labels: int) -> NDArray[np.float64]:
    """Log probabilities of the labels by the nearest examples, the nearer the weightier; shape `(texts, labels)`."""
    cosines = directions((vectors - neighbours.centre) @ neighbours.projection) @ neighbours.examples.T
    count = min(_NEAREST, cosines.shape[1])
    nearest = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    weights = np.exp(_FALLOFF * (np.take_along_axis(cosines, nearest, axis=1).astype(np.float64) - 1))
    mass = np.full((len(vectors), labels), _UNSEEN)
    np.add.at(mass, (np.arange(len(vectors))[:, None], neighbours.gold[nearest]), weights)
    return np.asarray(np.log(mass / mass.sum(axis=1, keepdims=True)), dtype=np.float64)


def directions(rows: NDArray[np.floating]) -> Floats:
    """Rows as unit vectors."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


_LEAST = 1e-12
_NEAR = 0.5
"""Say of the nearest examples beside the dense classifier."""


class LocalIntentModel(IntentModel):
    """A dense and a lexical classifier, averaged and calibrated.

    The embedding knows what words mean, the lexical features what they are exactly; each errs where the other does not.
    """

    def __init__(self, encoder: Encoder, weights: IntentWeights | None = None) -> None:
        self._encoder = encoder
        self._weights = weights or IntentWeights.load()

    def distributions(self, queries: Sequence[str]) -> list[dict[str, float]]:
        """Calibrated probabilities over the labels for several texts, which are embedded in one run."""
        texts = list(queries)
        found = probabilities(self._weights, deep_vectors(self._encoder, texts), texts)
        return [dict(zip(self._weights.labels, row, strict=True)) for row in found.tolist()]


def probabilities(weights: IntentWeights, vectors: Floats, texts: list[str]) -> NDArray[np.float64]:
    """Calibrated probabilities of the labels, shape `(len(texts), labels)`."""
    dense, lexical = scores(weights, vectors, texts)
    return probabilities_of(mix(dense, lexical, weights.share) * weights.sharpness)


def scores(
    weights: IntentWeights, vectors: Floats, texts: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Log probabilities by the embedding and by the words, up to a constant, each of shape `(len(texts), labels)`."""
    dense = np.log(probabilities_of(vectors @ weights.dense + weights.dense_bias))
    near = neighbour_scores(weights.neighbours, vectors, len(weights.labels))
    lexical = np.stack([_lexical(weights, text) for text in texts]) + weights.lexical_bias
    return dense + _NEAR * near, np.log(probabilities_of(lexical))


def mix(dense: NDArray[np.float64], lexical: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """The weighted mean of two classifiers' log probabilities."""
    return share * dense + (1 - share) * lexical


def probabilities_of(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Softmax over the last axis, never exactly 0."""
    exponentials = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    probabilities = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.asarray(np.maximum(probabilities, _LEAST), dtype=np.float64)


def _lexical(weights: IntentWeights, text: str) -> NDArray[np.float64]:
    buckets, values = term_counts(text)
    weighted = values * weights.idf[buckets]
    return np.asarray(weighted @ weights.lexical[buckets] / np.linalg.norm(weighted), dtype=np.float64)


Options = TypeVar("Options", bound=IntentOptions)

FILE_NAME = "intents.npz"
"""The file in the folder of an index."""


@dataclass(frozen=True, slots=True)
class ShopIntents:
    """A model that knows a shop's intents beside ours.

    Attributes:
        weights: Gives the probabilities.
        source_types: The kinds of evidence that each of the shop's intents reads.
    """

    weights: IntentWeights
    source_types: dict[str, frozenset[str]]

    @property
    def fingerprint(self) -> str:
        """Differs where an answer can."""
        return hashlib.sha256(self.to_bytes()).hexdigest()[:12]

    def options(self, options: Options) -> Options:
        """The options with the kinds of evidence that the shop's intents read; what is set wins."""
        ours = options.sources_by_intent
        chosen = {name: kinds for name, kinds in ours.items() if kinds != SOURCES_BY_INTENT.get(name)}
        return options.model_copy(update={"sources_by_intent": ours | self.source_types | chosen})

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same intents."""
        buffer = io.BytesIO()
        kinds = json.dumps({name: sorted(types) for name, types in sorted(self.source_types.items())})
        np.savez(buffer, weights=np.frombuffer(self.weights.to_bytes(), dtype=np.uint8), kinds=np.array(kinds))
        return buffer.getvalue()

    @classmethod
    def load(cls, index: Path) -> "ShopIntents | None":
        """The intents kept with an index; None where its shop has none.

        Raises:
            WeightsError: The file cannot be read.
        """
        path = index / FILE_NAME
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as arrays:
                weights = IntentWeights.read(io.BytesIO(arrays["weights"].tobytes()))
                kinds: dict[str, list[str]] = json.loads(str(arrays["kinds"]))
        except (OSError, ValueError, KeyError, EOFError) as error:
            message = f"The shop's intents in {path} cannot be read ({error}). Train them again, or delete the file."
            raise WeightsError(message) from error
        return cls(weights, {name: frozenset(types) for name, types in kinds.items()})


def intent_parts(
    index: Path, encoder: Encoder, options: Options, config_hash: str
) -> tuple[LocalIntentModel, Options, str]:
    """The intent model over an index, with the options and the hash of all settings that go with it."""
    own = ShopIntents.load(index)
    if own is None:
        return LocalIntentModel(encoder), options, config_hash
    mixed = hashlib.sha256(f"{config_hash} {own.fingerprint}".encode()).hexdigest()[:12]
    return LocalIntentModel(encoder, own.weights), own.options(options), mixed
