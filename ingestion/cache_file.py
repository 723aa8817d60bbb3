"""The cache of an index, `embeddings.sqlite`: what earlier runs computed, by the hash of what it was computed from.

It holds nothing that cannot be computed again: the vectors of texts, and what documents gave. A run adds to it as it
goes, batch by batch for good, and only a run that has finished removes what no kept generation uses any more; so one
that is killed goes on where it stopped.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ingestion.encoder import Vectors
from ingestion.evidence import Evidence, evidence_record, read_evidence
from ingestion.generations import KNOWLEDGE_NAME
from ingestion.readers.repairs import Repair

CACHE_NAME = "embeddings.sqlite"
_KEYS_A_QUERY = 500
_FREE_SHARE = 0.25
"""Share of free pages from which they are given back to the disk."""
_SETTINGS = ("PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")
_TABLES = (
    "embedding (key BLOB PRIMARY KEY, vector BLOB NOT NULL)",
    "piece (evidence BLOB, number INT, tokens INT NOT NULL, text BLOB NOT NULL, PRIMARY KEY (evidence, number))",
    "document (key BLOB PRIMARY KEY, content TEXT NOT NULL)",
)


class DamagedCacheError(Exception):
    """The cache cannot be understood; removing it costs nothing but time."""


class Pieces(NamedTuple):
    """How an evidence is embedded.

    Attributes:
        key: Names all that decides it.
        tokens: Tokens of the evidence's own text.
        texts: Keys of the texts whose mean stands for it.
    """

    key: bytes
    tokens: int
    texts: Sequence[bytes]


class CacheFile:
    """An open cache; one thread uses it at a time."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def embedded(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, int, Vectors]]:
        """Of these evidence keys those that are known whole, with their tokens and the vectors of their texts.

        Raises:
            DamagedCacheError: The cache cannot be understood.
        """
        query = (
            "SELECT evidence, tokens, vector FROM piece LEFT JOIN embedding ON key = text "
            "WHERE evidence IN ({}) ORDER BY evidence, number"
        )
        for key, rows in groupby(self._select(query, keys), key=itemgetter(0)):
            _, tokens, vectors = zip(*rows, strict=True)
            sizes = {len(vector or b"") for vector in vectors}
            if len(sizes) == 1 and (size := sizes.pop()) and size % 4 == 0:
                packed = np.frombuffer(b"".join(vectors), dtype="<f4")
                yield key, tokens[0], packed.reshape(len(vectors), -1)

    def known_texts(self, keys: Sequence[bytes]) -> set[bytes]:
        """Those of these texts that have a vector."""
        return {key for (key,) in self._select("SELECT key FROM embedding WHERE key IN ({})", keys)}

    def documents(self, keys: Sequence[bytes]) -> dict[bytes, str]:
        """What is kept of these documents."""
        return dict(self._select("SELECT key, content FROM document WHERE key IN ({})", keys))

    def keep_pieces(self, pieces: Iterable[Pieces]) -> None:
        """Keep how evidence is embedded."""
        self._keep(
            "piece (evidence, tokens, number, text)",
            ((one.key, one.tokens, number, text) for one in pieces for number, text in enumerate(one.texts)),
        )

    def keep_vectors(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keep the vectors of texts."""
        packed = (vector.astype("<f4").tobytes() for vector in vectors)
        self._keep("embedding (key, vector)", zip(keys, packed, strict=True))

    def keep_documents(self, documents: Mapping[bytes, str]) -> None:
        """Keep what was read from documents."""
        self._keep("document (key, content)", documents.items())

    def prune(self, generations: Sequence[Path]) -> None:
        """Remove what these generations were not made from.

        Args:
            generations: Folders of all generations that are kept. Where one cannot be read, nothing is removed.
        """
        kept = {f"kept{number}": folder for number, folder in enumerate(generations)}
        with suppress(sqlite3.DatabaseError):
            for name, folder in kept.items():
                uri = f"{(folder / KNOWLEDGE_NAME).resolve().as_uri()}?mode=ro&immutable=1"
                self._database.execute(f"ATTACH ? AS {name}", (uri,))
            with self._database:
                for table, key, users in (
                    ("piece", "evidence", ("made", "statements")),
                    ("document", "key", ("read",)),
                ):
                    used = (f"SELECT key FROM {name}.{user}" for name in kept for user in users)  # noqa: S608 - our own words
                    wanted = " UNION ".join(used)
                    self._database.execute(f"DELETE FROM {table} WHERE {key} NOT IN ({wanted})")  # noqa: S608 - as above
                self._database.execute("DELETE FROM embedding WHERE key NOT IN (SELECT text FROM piece)")
            (free,) = self._database.execute("PRAGMA freelist_count").fetchone()
            (pages,) = self._database.execute("PRAGMA page_count").fetchone()
            if free > _FREE_SHARE * pages:
                self._database.execute("PRAGMA incremental_vacuum").fetchall()

    def _keep(self, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        places = ", ".join("?" * (columns.count(",") + 1))
        with _understood(), self._database:
            self._database.executemany(f"INSERT OR REPLACE INTO {columns} VALUES ({places})", rows)  # noqa: S608 - as above

    def _select(self, query: str, keys: Sequence[bytes]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(keys), _KEYS_A_QUERY):
            part = keys[start : start + _KEYS_A_QUERY]
            with _understood():
                rows = self._database.execute(query.format(", ".join("?" * len(part))), part).fetchall()
            yield from rows


@contextmanager
def opened(index: Path) -> Iterator[CacheFile]:
    """Open the cache of an index.

    Raises:
        DamagedCacheError: It is there and is no cache.
    """
    # What one thread has read, another may write while the first one embeds; they never do so at once.
    uri = (index / CACHE_NAME).resolve().as_uri()
    with closing(sqlite3.connect(uri, uri=True, check_same_thread=False)) as database:
        with _understood():
            for setting in _SETTINGS:
                database.execute(setting).fetchall()
            for table in _TABLES:
                database.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        yield CacheFile(database)


def remove(index: Path) -> None:
    """Remove the cache of an index."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (index / f"{CACHE_NAME}{suffix}").unlink(missing_ok=True)


@contextmanager
def _understood() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError:
        raise  # the disk, not what stands on it
    except sqlite3.DatabaseError as error:
        raise DamagedCacheError(str(error)) from error


_BATCH = 100
"""Documents read between two commits."""


@dataclass(frozen=True, slots=True)
class ComposedDocument:
    """What one document gives.

    Attributes:
        evidence: Its chunks.
        unknown: Its metadata that has no place of its own.
        repairs: What was put right in it.
        problem: Why it is not used; None where it is.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown: Mapping[str, Any] = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    problem: str | None = None

    def to_json(self) -> str:
        """The same as JSON."""
        records = [evidence_record(one) for one in self.evidence]
        repairs = [asdict(repair) for repair in self.repairs]
        return json.dumps([records, self.unknown, repairs, self.problem], ensure_ascii=False, default=str)

    @classmethod
    def from_json(cls, text: str) -> "ComposedDocument":
        """Read what `to_json` wrote."""
        records, unknown, repairs, problem = json.loads(text)
        return cls(
            tuple(read_evidence(tuple(record)) for record in records),
            unknown,
            tuple(Repair(**{**repair, "lines": tuple(repair["lines"])}) for repair in repairs),
            problem,
        )


class DocumentCache:
    """Remembers what documents gave.

    Attributes:
        keys: Under which the cache knows the documents that were asked for.
    """

    def __init__(self, cache: CacheFile, digests: Mapping[Path, bytes], recipe: str) -> None:
        """Prepare for one run.

        Args:
            cache: Where it is kept.
            digests: The hash of every document and its metadata, by its path.
            recipe: Changes with all else that decides what a document gives.
        """
        self._cache, self._digests, self._recipe = cache, digests, recipe
        self._fresh: dict[bytes, str] = {}
        self.keys: set[bytes] = set()

    def composed(self, path: Path, compose: Callable[[], ComposedDocument]) -> ComposedDocument:
        """What a document gives, composed only where it is not known."""
        key = hashlib.sha256(self._recipe.encode() + self._digests[path]).digest()
        self.keys.add(key)
        if known := self._cache.documents([key]).get(key):
            return ComposedDocument.from_json(known)
        document = compose()
        self._fresh[key] = document.to_json()
        if len(self._fresh) >= _BATCH:
            self.keep()
        return document

    def keep(self) -> None:
        """Write down what was composed."""
        self._cache.keep_documents(self._fresh)
        self._fresh = {}
