"""The cache of an index, `embeddings.sqlite`: what earlier runs computed, by the hash of what it was computed from.

It holds nothing that cannot be computed again: the vectors of texts, and what documents gave. A run adds to it as it
goes, batch by batch for good, and only a run that has finished removes what it did not use; so one that is killed goes
on where it stopped.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, Protocol, TypeVar

import numpy as np

from ingestion.encoder import Vectors
from ingestion.generations import Progress, silent

CACHE_NAME = "embeddings.sqlite"
BATCH = 512
"""Texts embedded between two steps of the progress, and between two commits."""
_KEYS_A_QUERY = 500
_SETTINGS = ("PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")
_TABLES = (
    "embedding (key BLOB PRIMARY KEY, vector BLOB NOT NULL)",
    "document (key BLOB PRIMARY KEY, content BLOB NOT NULL)",
)

Table = Literal["embedding", "document"]
Value = TypeVar("Value")


class DamagedCacheError(Exception):
    """The cache cannot be understood; removing it costs nothing but time."""


class Embedder(Protocol):
    """What embeds texts."""

    @property
    def fingerprint(self) -> str:
        """Name and revision of the model."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors."""
        ...


class TextEncoder(Embedder, Protocol):
    """The embedding model of search, whose window chunks are to fit."""

    @property
    def max_tokens(self) -> int:
        """Length of the model's window, special tokens included."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of a text."""
        ...


class EmbeddingCache:
    """An open cache; it remembers what was asked for and kept, and can remove all else."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._database.execute("CREATE TEMP TABLE used (key BLOB PRIMARY KEY)")

    def found(self, table: Table, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept under these keys.

        Raises:
            DamagedCacheError: The cache cannot be understood.
        """
        found: dict[bytes, bytes] = {}
        with _understood():
            for part in _parts(keys):
                places = ", ".join("?" * len(part))
                found.update(self._database.execute(f"SELECT * FROM {table} WHERE key IN ({places})", part))  # noqa: S608 - our own words
            self._use(found)
        return found

    def keep(self, table: Table, values: Mapping[bytes, bytes]) -> None:
        """Keep values for good."""
        with _understood(), self._database:
            self._database.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", values.items())  # noqa: S608 - as above
            self._use(values)

    def prune(self) -> None:
        """Remove what has neither been found nor kept since the cache was opened."""
        with _understood(), self._database:
            for table in ("embedding", "document"):
                self._database.execute(f"DELETE FROM {table} WHERE key NOT IN (SELECT key FROM used)")  # noqa: S608 - as above
        self._database.execute("PRAGMA incremental_vacuum").fetchall()

    def _use(self, keys: Mapping[bytes, bytes]) -> None:
        self._database.executemany("INSERT OR IGNORE INTO used VALUES (?)", ((key,) for key in keys))


@contextmanager
def opened(index: Path) -> Iterator[EmbeddingCache]:
    """Open the cache of an index.

    Raises:
        DamagedCacheError: It is there and is no cache.
    """
    with closing(sqlite3.connect(index / CACHE_NAME)) as database:
        with _understood():
            for setting in _SETTINGS:
                database.execute(setting).fetchall()
            for table in _TABLES:
                database.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        yield EmbeddingCache(database)


def remove(index: Path) -> None:
    """Remove the cache of an index."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (index / f"{CACHE_NAME}{suffix}").unlink(missing_ok=True)


@contextmanager
def _understood() -> Iterator[None]:
    """Tell a damaged cache from a disk that refuses."""
    try:
        yield
    except sqlite3.OperationalError:
        raise  # the disk, not what stands on it
    except sqlite3.DatabaseError as error:
        raise DamagedCacheError(str(error)) from error


def embed(
    cache: EmbeddingCache, groups: Sequence[Sequence[str]], encoder: Embedder, progress: Progress = silent
) -> tuple[int, Iterator[Vectors]]:
    """Embed texts through the cache of an index.

    Each batch is kept as soon as it is done: a run that is killed goes on where it stopped.

    Args:
        cache: The cache.
        groups: The texts; those of a group come back together.
        encoder: The embedding model.
        progress: Called with the texts embedded and those to embed in all.

    Returns:
        How many texts had to be embedded, and of each group the vectors, shape `(texts, dimensions)`.
    """
    texts = {_key(encoder, text): text for group in groups for text in group}
    known = {key for part in _parts(list(texts)) for key in cache.found("embedding", part)}
    # Long texts come first, so that batches are even and the time that is left is not underestimated.
    missing = sorted(texts.keys() - known, key=lambda key: (-len(texts[key]), key))
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        vectors = encoder.encode([texts[key] for key in batch])
        cache.keep("embedding", {key: one.astype("<f4").tobytes() for key, one in zip(batch, vectors, strict=True)})
        progress(start + len(batch), len(missing))
    return len(missing), _read(cache, groups, encoder)


def _read(cache: EmbeddingCache, groups: Sequence[Sequence[str]], encoder: Embedder) -> Iterator[Vectors]:
    for part in _parts(groups):
        keys = [[_key(encoder, text) for text in group] for group in part]
        found = cache.found("embedding", list({key for group in keys for key in group}))
        for group in keys:
            packed = np.frombuffer(b"".join(found[key] for key in group), dtype="<f4")
            yield packed.reshape(len(group), packed.size // max(len(group), 1))


def _parts(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    return (values[start : start + _KEYS_A_QUERY] for start in range(0, len(values), _KEYS_A_QUERY))


def _key(encoder: Embedder, text: str) -> bytes:
    """Hash of all that decides the vector of a text."""
    return hashlib.sha256(f"{encoder.fingerprint}\n{text}".encode()).digest()
