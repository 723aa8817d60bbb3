"""An encoder that remembers: attribute names, sentences and questions recur within and between turns."""

from collections.abc import Sequence
from threading import Lock

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from graph.budget import check_budget
from graph.intents.model import deep_vectors, sentence_width
from graph.parts import Encoder, Vectors

REMEMBERED_TEXTS = 50_000
REMEMBERED_QUESTIONS = 2_000
"""Texts whose lower layers are remembered too: questions alone need them, and they take four times the room."""

_Vector = NDArray[np.float32]


class CachingEncoder:
    """Wraps an encoder with a least-recently-used cache of vectors; safe to share between threads."""

    def __init__(self, encoder: Encoder, size: int = REMEMBERED_TEXTS) -> None:
        self._encoder = encoder
        self._vectors: LRUCache[str, _Vector] = LRUCache(size)
        self._deep: LRUCache[str, _Vector] = LRUCache(REMEMBERED_QUESTIONS)
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, computing only those not seen lately."""
        known, missing = self._recalled(self._vectors, texts)
        if missing:
            fresh = dict(zip(missing, self._encoder.encode(missing), strict=True))
            known |= fresh
            self._remember(self._vectors, fresh)
        return np.stack([known[text] for text in texts])

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        """Embed texts by several layers; `encode` then has their vectors without another run of the model."""
        known, missing = self._recalled(self._deep, texts)
        if missing:
            fresh = dict(zip(missing, deep_vectors(self._encoder, missing), strict=True))
            known |= fresh
            self._remember(self._deep, fresh)
            plain = {text: one[: sentence_width(self._encoder, one)].copy() for text, one in fresh.items()}
            self._remember(self._vectors, plain)
        return np.stack([known[text] for text in texts])

    def _recalled(self, cache: LRUCache[str, _Vector], texts: Sequence[str]) -> tuple[dict[str, _Vector], list[str]]:
        """What is known of texts, and which are not, each once."""
        check_budget()
        with self._lock:
            known = {text: cache[text] for text in texts if text in cache}
        return known, [text for text in dict.fromkeys(texts) if text not in known]

    def _remember(self, cache: LRUCache[str, _Vector], fresh: dict[str, _Vector]) -> None:
        with self._lock:
            cache.update(fresh)
