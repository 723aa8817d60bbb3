"""An encoder that remembers: attribute names, sentences and questions recur within and between turns."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder, Vectors

REMEMBERED_TEXTS = 50_000


class CachingEncoder:
    """Wraps an encoder with a least-recently-used cache of vectors; safe to share between threads."""

    def __init__(self, encoder: Encoder, size: int = REMEMBERED_TEXTS) -> None:
        self._encoder = encoder
        self._size = size
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, computing only those not seen lately."""
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            fresh = dict(zip(missing, self._encoder.encode(missing), strict=True)) if missing else {}
            self._vectors.update(fresh)
            for text in texts:
                self._vectors.move_to_end(text)
            vectors = np.stack([self._vectors[text] for text in texts])
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vectors
