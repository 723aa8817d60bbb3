"""Embeddings by the hash of their text, so that a run embeds only what changed."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import numpy as np

from ingestion.encoder import DIMENSIONS, Vectors

CACHE_NAME = "embeddings.sqlite"
_BATCH = 256


class TextEncoder(Protocol):
    """What ingestion needs of an embedding model."""

    @property
    def fingerprint(self) -> str:
        """Name and revision of the model."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of a text."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors."""
        ...


def embed(
    index: Path, texts: Sequence[Sequence[str]], encoder: TextEncoder, progress: Callable[[int, int], None]
) -> tuple[Vectors, int]:
    """Embed texts through the cache of an index.

    Each batch is kept as soon as it is done: a run that is killed goes on where it stopped.

    Args:
        index: The index folder.
        texts: For each vector the texts it is the mean of.
        encoder: The embedding model.
        progress: Called with the texts embedded and those to embed in all.

    Returns:
        Unit vectors, one for each entry of `texts`, and the number of texts that had to be embedded.
    """
    keys = [[hashlib.sha256(f"{encoder.fingerprint}\n{text}".encode()).digest() for text in group] for group in texts]
    wanted = {
        key: text for group, names in zip(texts, keys, strict=True) for text, key in zip(group, names, strict=True)
    }
    with closing(_open(index / CACHE_NAME)) as cache:
        known = _read(cache, wanted)
        missing = {key: text for key, text in wanted.items() if key not in known}
        # Long texts come first, so that batches are even and the time that is left is not underestimated.
        order = sorted(missing, key=lambda key: len(missing[key]), reverse=True)
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            fresh = dict(zip(batch, encoder.encode([missing[key] for key in batch]), strict=True))
            _keep(cache, fresh)
            known |= fresh
            progress(start + len(batch), len(order))
    vectors = [_mean([known[key] for key in names]) for names in keys]
    return np.stack(vectors) if vectors else np.zeros((0, DIMENSIONS), dtype=np.float32), len(missing)


def _mean(vectors: Sequence[Vectors]) -> Vectors:
    if len(vectors) == 1:
        return vectors[0]
    total: Vectors = np.sum(vectors, axis=0, dtype=np.float32)
    return total / np.float32(max(float(np.linalg.norm(total)), 1e-12))


def _open(path: Path) -> sqlite3.Connection:
    """Open the cache; one that is damaged is made anew, for it holds nothing that cannot be computed."""
    for attempt in range(2):
        cache = sqlite3.connect(path)
        try:
            cache.execute("CREATE TABLE IF NOT EXISTS embedding (key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
            cache.execute("PRAGMA quick_check")
        except sqlite3.DatabaseError as error:
            cache.close()
            if attempt or isinstance(error, sqlite3.OperationalError):
                raise
            path.unlink()
        else:
            break
    return cache


def _read(cache: sqlite3.Connection, keys: Iterable[bytes]) -> dict[bytes, Vectors]:
    known: dict[bytes, Vectors] = {}
    for key in keys:
        row = cache.execute("SELECT vector FROM embedding WHERE key = ?", (key,)).fetchone()
        if row:
            known[key] = np.frombuffer(row[0], dtype="<f4")
    return known


def _keep(cache: sqlite3.Connection, fresh: dict[bytes, Vectors]) -> None:
    with cache:
        cache.executemany(
            "INSERT OR REPLACE INTO embedding VALUES (?, ?)",
            ((key, vector.astype("<f4").tobytes()) for key, vector in fresh.items()),
        )
