"""The dense index of a generation: Chroma, embedded, a collection for each source type that is found by search.

A search names its source types. With a collection for each, a filter costs and loses nothing at any size: a graph of
all types would be walked past most of what it holds to find the few of a rare type. A type of few rows is read whole
and compared row by row: that is exact, and takes a hundredth of the time of a query.
"""

import os
import shutil
import stat
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ingestion.encoder import Vectors
from ingestion.evidence import Evidence
from ingestion.generations import Progress, silent

if TYPE_CHECKING:
    from chromadb.api.client import Client


CHROMA_FOLDER = "chroma"
DATABASE_NAME = "chroma.sqlite3"
_PREFIX = "evidence-"
"""Before the source type in the name of its collection; Chroma wants at least three characters."""
FEW_ROWS = 1000
"""Rows of a type that are read whole; Chroma hands them out at some 30 µs each."""

Hits = list[tuple[str, float]]


class DenseIndex:
    """A generation's dense index, opened on the first search."""

    def __init__(self, folder: Path, few_rows: int = FEW_ROWS) -> None:
        """Name the index of a generation.

        Args:
            folder: The generation's folder.
            few_rows: A type of no more rows than that is read whole.
        """
        self._place = folder / CHROMA_FOLDER
        self._few_rows = few_rows
        self._lock = Lock()
        self._client: Client | None = None
        self._collections: dict[str, _Graph | _Rows] = {}
        self._copies = ExitStack()

    def nearest(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> Hits:
        """The nearest evidence of these types: `(evidence_id, cosine)`, best first."""
        if not source_types or limit < 1:
            return []
        with self._lock:
            collections = self._opened()
        found = [
            hit
            for source_type in source_types & collections.keys()
            for hit in collections[source_type].nearest(vector, limit)
        ]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def close(self) -> None:
        """Release the files."""
        with self._lock, suppress(Exception):
            self._collections = {}
            if self._client is not None:
                self._client.close()
                self._client = None
        self._copies.close()

    def _opened(self) -> "dict[str, _Graph | _Rows]":
        """What holds something, by source type."""
        if self._client is None:
            client = open_chroma(self._readable())
            listed: Sequence[Any] = client.list_collections()
            sized = {one.name.removeprefix(_PREFIX): (one, one.count()) for one in listed}
            self._collections = {
                kind: _read(one) if size <= self._few_rows else _Graph(one, size)
                for kind, (one, size) in sized.items()
                if size
            }
            self._client = client
        return self._collections

    def _readable(self) -> Path:
        """The folder to open; Chroma would make a missing one anew, and writes to one that it only reads."""
        if not (self._place / DATABASE_NAME).is_file():
            raise FileNotFoundError(str(self._place / DATABASE_NAME))
        if os.access(self._place, os.W_OK) and os.access(self._place / DATABASE_NAME, os.W_OK):
            return self._place
        copy = Path(self._copies.enter_context(TemporaryDirectory(prefix="footnote-"))) / CHROMA_FOLDER
        shutil.copytree(self._place, copy, copy_function=shutil.copyfile)
        copy.chmod(stat.S_IRWXU)
        return copy


@dataclass(frozen=True, slots=True)
class _Graph:
    """Many rows, of which Chroma walks the graph."""

    collection: Any
    size: int

    def nearest(self, vector: Vectors, limit: int) -> Hits:
        wanted = min(limit, self.size)
        result = self.collection.query(query_embeddings=[vector], n_results=wanted, include=["distances"])
        pairs = zip(result["ids"][0], result["distances"][0], strict=True)
        return [(key, 1.0 - float(distance)) for key, distance in pairs]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Few rows, at hand as unit vectors."""

    ids: list[str]
    vectors: Vectors

    def nearest(self, vector: Vectors, limit: int) -> Hits:
        cosines = self.vectors @ _scaled(vector)
        nearest = np.argsort(-cosines, kind="stable")[:limit]
        return [(self.ids[row], float(cosines[row])) for row in nearest]


def _read(
    collection: Any,  # noqa: ANN401 - Chroma's generics are of no use here
) -> _Rows:
    rows = collection.get(include=["embeddings"])
    return _Rows(rows["ids"], _scaled(np.asarray(rows["embeddings"], dtype=np.float32)))


def _scaled(vectors: Vectors) -> Vectors:
    """Vectors at unit length, those of no length as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths, lengths, 1.0), dtype=np.float32)


def open_chroma(place: Path) -> "Client":
    """Open the Chroma that lies in a folder; it is made where there is none."""
    import chromadb  # noqa: PLC0415 - heavy
    from chromadb.config import Settings  # noqa: PLC0415 - heavy

    settings = Settings(anonymized_telemetry=False)
    return cast("Client", chromadb.PersistentClient(path=str(place), settings=settings))


PARAMETERS = {"space": "cosine", "max_neighbors": 16, "ef_construction": 100, "ef_search": 100}
"""How the graphs are built and walked; the measurement is in docs/scale.md."""

_BATCH = 5000
"""Rows written at once; Chroma takes no more than 5,461."""
_ROWS_A_SAVE = 100_000
"""A save writes a whole graph to disk."""


def write_dense_index(
    folder: Path, evidence: Sequence[Evidence], vectors: Vectors, progress: Progress = silent
) -> None:
    """Write the dense index into a generation's folder.

    Args:
        folder: The generation's folder.
        evidence: What is found by search.
        vectors: Its embeddings, unit vectors in the same order; a memory-mapped array is read block by block.
        progress: Called after each block of rows.
    """
    rows: dict[str, list[int]] = {}
    for number, one in enumerate(evidence):
        rows.setdefault(one.source_type, []).append(number)
    done = 0
    with closing(open_chroma(folder / CHROMA_FOLDER)) as client:
        for source_type, numbers in rows.items():
            edges, rows_a_save = _edges(len(numbers))
            configuration: Any = {"hnsw": {**PARAMETERS, "sync_threshold": rows_a_save}}
            collection = client.create_collection(
                _PREFIX + source_type, configuration=configuration, embedding_function=None
            )
            for start, stop in pairwise(edges):
                part = numbers[start:stop]
                collection.add(ids=[evidence[number].evidence_id for number in part], embeddings=vectors[part])
                done += len(part)
                progress(done, len(evidence))


def _edges(rows: int) -> tuple[list[int], int]:
    """Between which rows those lie that are written together, and after how many Chroma is to save.

    The last save falls on the last row: rows after a save are indexed again whenever the index is opened.
    """
    saves = -(-rows // _ROWS_A_SAVE)
    blocks_a_save = -(-rows // (saves * _BATCH))
    edges = [int(edge) for edge in np.linspace(0, rows, saves * blocks_a_save + 1)]
    return edges, int(np.diff(edges[::blocks_a_save]).min())
