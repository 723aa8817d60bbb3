"""An encoder that remembers: attribute names, sentences and questions recur within and between turns."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from graph.intents.embedding import deep_vectors, sentence_width
from graph.parts import Encoder, Vectors

REMEMBERED_TEXTS = 50_000
REMEMBERED_QUESTIONS = 2_000
"""Texts whose lower layers are remembered too: questions alone need them, and they take four times the room."""

_Remembered = OrderedDict[str, NDArray[np.float32]]


class CachingEncoder:
    """Wraps an encoder with a least-recently-used cache of vectors; safe to share between threads."""

    def __init__(self, encoder: Encoder, size: int = REMEMBERED_TEXTS) -> None:
        self._encoder = encoder
        self._size = size
        self._vectors: _Remembered = OrderedDict()
        self._deep: _Remembered = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, computing only those not seen lately."""
        with self._lock:
            _compute(self._vectors, texts, self._encoder.encode)
            return _recalled(self._vectors, texts, self._size)

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        """Embed texts by several layers; `encode` then has their vectors without another run of the model."""
        with self._lock:
            fresh = _compute(self._deep, texts, lambda missing: deep_vectors(self._encoder, missing))
            for text, vector in fresh.items():
                self._vectors[text] = vector[: sentence_width(self._encoder, vector)].copy()
            return _recalled(self._deep, texts, REMEMBERED_QUESTIONS)


def _compute(
    known: _Remembered, texts: Sequence[str], compute: Callable[[Sequence[str]], Vectors]
) -> dict[str, NDArray[np.float32]]:
    """Add the texts that are not known, and return them."""
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    fresh = dict(zip(missing, compute(missing), strict=True)) if missing else {}
    known.update(fresh)
    return fresh


def _recalled(known: _Remembered, texts: Sequence[str], size: int) -> Vectors:
    """The vectors of known texts, latest used last; the oldest beyond the size are forgotten."""
    for text in texts:
        known.move_to_end(text)
    vectors = np.stack([known[text] for text in texts])
    while len(known) > size:
        known.popitem(last=False)
    return vectors
