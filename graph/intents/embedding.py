"""What a classifier sees of a text: several layers of the embedding model, where it gives them."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from graph.parts import Encoder, Vectors

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
