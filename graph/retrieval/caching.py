"""An encoder that remembers: attribute names, sentences and questions recur within and between turns."""

from collections.abc import Sequence
from concurrent.futures import Future
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
    """Wraps an encoder with a least-recently-used cache of vectors; safe to share between threads.

    Two that ask for one new text at the same moment compute it once: the branches of a turn all begin with the same
    question. Nobody waits for a text of somebody else's.
    """

    def __init__(self, encoder: Encoder, size: int = REMEMBERED_TEXTS) -> None:
        self._encoder = encoder
        self._vectors: LRUCache[str, _Vector] = LRUCache(size)
        self._deep: LRUCache[str, _Vector] = LRUCache(REMEMBERED_QUESTIONS)
        self._under_way: dict[str, Future[_Vector]] = {}
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, computing only those not seen lately and not under way."""
        known, missing = self._recalled(self._vectors, texts)
        with self._lock:
            known |= {text: self._vectors[text] for text in missing if text in self._vectors}
            missing = [text for text in missing if text not in known]
            awaited = {text: self._under_way[text] for text in missing if text in self._under_way}
            own = {text: Future[_Vector]() for text in missing if text not in awaited}
            self._under_way |= own
        known |= self._computed(own)
        for text, future in awaited.items():
            try:
                known[text] = future.result()
            except Exception:  # noqa: BLE001 - theirs, such as the end of their turn; ours goes on
                known[text] = self._encoder.encode([text])[0]
        return np.stack([known[text] for text in texts])

    def _computed(self, own: dict[str, "Future[_Vector]"]) -> dict[str, _Vector]:
        """Embed new texts, and tell those who wait for them."""
        if not own:
            return {}
        try:
            fresh = dict(zip(own, self._encoder.encode(list(own)), strict=True))
        except BaseException as error:
            for future in own.values():
                future.set_exception(error)
            raise
        else:
            self._remember(self._vectors, fresh)
            for text, vector in fresh.items():
                own[text].set_result(vector)
            return fresh
        finally:
            with self._lock:
                for text in own:
                    del self._under_way[text]

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
