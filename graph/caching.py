"""Memory of what models read lately: attribute names, sentences and questions recur within and between turns."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from threading import Event, Lock
from typing import Generic, TypeVar

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from graph.budget import check_budget
from graph.intents.model import deep_vectors, sentence_width
from graph.parts import Encoder, Judgement, Pair, Reader, Vectors

REMEMBERED_TEXTS = 50_000
REMEMBERED_QUESTIONS = 2_000
"""Texts whose lower layers are remembered too: questions alone need them, and they take four times the room."""
REMEMBERED_PAIRS = 20_000

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Memory(Generic[Key, Value]):
    """What was made of each key; the one used longest ago goes first; safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._known: LRUCache[Key, Value] = LRUCache(size)
        self._making: dict[Key, Event] = {}
        self._lock = Lock()

    def read(self, keys: Sequence[Key], make: Callable[[list[Key]], Iterable[Value]]) -> list[Value]:
        """What is made of keys, in their order; what is not remembered is made, each once, whoever asks meanwhile."""
        check_budget()
        made = Event()
        with self._lock:
            known = {key: self._known[key] for key in keys if key in self._known}
            missing = [key for key in dict.fromkeys(keys) if key not in known]
            others = {key: self._making[key] for key in missing if key in self._making}
            own = [key for key in missing if key not in others]
            self._making.update(dict.fromkeys(own, made))
        if own:
            known |= self._make(own, make, made)
        for event in others.values():
            event.wait()
        if others:  # what failed, or was forgotten already, is made here
            known |= dict(zip(others, self.read(list(others), make), strict=True))
        return [known[key] for key in keys]

    def _make(self, keys: list[Key], make: Callable[[list[Key]], Iterable[Value]], made: Event) -> dict[Key, Value]:
        """Make values without the lock: nobody waits for what somebody else reads."""
        try:
            fresh = dict(zip(keys, make(keys), strict=True))
            self.keep(fresh)
        finally:
            with self._lock:
                for key in keys:
                    del self._making[key]
            made.set()
        return fresh

    def keep(self, made: Mapping[Key, Value]) -> None:
        """Remember what was made elsewhere."""
        with self._lock:
            self._known.update(made)


class CachingEncoder:
    """Remembers the vectors of an encoder; safe to share between threads."""

    def __init__(self, encoder: Encoder, size: int = REMEMBERED_TEXTS) -> None:
        self._encoder = encoder
        self._vectors = _Memory[str, NDArray[np.float32]](size)
        self._deep = _Memory[str, NDArray[np.float32]](REMEMBERED_QUESTIONS)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors."""
        return np.stack(self._vectors.read(texts, self._encoder.encode))

    def keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Remember vectors that were made elsewhere, one of each text."""
        self._vectors.keep(dict(zip(texts, vectors, strict=True)))

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        """Embed texts by several layers; `encode` then has their vectors without another run of the model."""
        return np.stack(self._deep.read(texts, self._embedded_deep))

    def _embedded_deep(self, texts: list[str]) -> Vectors:
        deep = deep_vectors(self._encoder, texts)
        plain = deep[:, : sentence_width(self._encoder, deep)].copy()
        self._vectors.keep(dict(zip(texts, plain, strict=True)))
        return deep


class CachingReader:
    """Remembers the judgements of a reader; safe to share between threads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._judgements = _Memory[Pair, Judgement](REMEMBERED_PAIRS)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """What the second text of each pair says to the first."""
        return self._judgements.read(pairs, self._reader.judge)
