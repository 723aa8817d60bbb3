"""The dense index of a generation: Chroma, embedded, over the evidence that is found by search."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ingestion.evidence import Evidence

if TYPE_CHECKING:
    from chromadb.api.client import Client

_FOLDER = "chroma"
_COLLECTION = "evidence"
_BATCH = 2000
_OVERFETCH = 4


def write_dense_index(folder: Path, evidence: Sequence[Evidence], vectors: NDArray[np.float32]) -> None:
    """Write the dense index into a generation's folder.

    Args:
        folder: The generation's folder.
        evidence: What is found by search.
        vectors: Its embeddings, unit vectors in the same order.
    """
    client = _open(folder)
    try:
        collection = client.create_collection(
            _COLLECTION, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )
        for start in range(0, len(evidence), _BATCH):
            batch = evidence[start : start + _BATCH]
            collection.add(
                ids=[one.evidence_id for one in batch],
                embeddings=vectors[start : start + _BATCH],
                metadatas=[{"source_type": one.source_type} for one in batch],
            )
    finally:
        client.close()


class DenseIndex:
    """A generation's dense index, opened on the first search."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._client: Client | None = None

    def nearest(
        self, vector: NDArray[np.float32], source_types: AbstractSet[str], limit: int
    ) -> list[tuple[str, float]]:
        """The nearest evidence of these types: `(evidence_id, cosine)`, best first."""
        if not source_types or limit < 1:
            return []
        with self._lock:
            collection = self._collection()
            count = collection.count()
            if not count:
                return []
            found = self._query(collection, vector, min(limit * _OVERFETCH, count), source_types, where=None)
            if len(found) < min(limit, count):
                where = {"source_type": {"$in": sorted(source_types)}}
                found = self._query(collection, vector, min(limit, count), source_types, where=where)
        return found[:limit]

    def close(self) -> None:
        """Release the files."""
        with self._lock, suppress(Exception):
            if self._client is not None:
                self._client.close()
                self._client = None

    def _collection(self) -> Any:  # noqa: ANN401 - Chroma's generics are of no use here
        if self._client is None:
            self._client = _open(self._folder)
        return self._client.get_collection(_COLLECTION, embedding_function=None)

    @staticmethod
    def _query(
        collection: Any,  # noqa: ANN401 - as above
        vector: NDArray[np.float32],
        limit: int,
        source_types: AbstractSet[str],
        where: dict[str, Any] | None,
    ) -> list[tuple[str, float]]:
        result = collection.query(
            query_embeddings=[vector], n_results=limit, where=where, include=["distances", "metadatas"]
        )
        rows = zip(result["ids"][0], result["distances"][0], result["metadatas"][0], strict=True)
        return [(found, 1.0 - float(distance)) for found, distance, meta in rows if meta["source_type"] in source_types]


def _open(folder: Path) -> "Client":
    import chromadb  # noqa: PLC0415 - heavy
    from chromadb.config import Settings  # noqa: PLC0415 - heavy

    client = chromadb.PersistentClient(path=str(folder / _FOLDER), settings=Settings(anonymized_telemetry=False))
    return cast("Client", client)
