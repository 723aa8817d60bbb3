"""The dense index of a generation: Chroma, embedded, a collection for each source type that is found by search.

A search names its source types. With a collection for each, a filter costs and loses nothing at any size: a graph of
all types would be walked past most of what it holds to find the few of a rare type.
"""

import os
import shutil
import stat
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from ingestion.encoder import Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client

CHROMA_FOLDER = "chroma"
DATABASE_NAME = "chroma.sqlite3"
_PREFIX = "evidence-"


class DenseIndex:
    """A generation's dense index, opened on the first search."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / CHROMA_FOLDER
        self._lock = Lock()
        self._client: Client | None = None
        self._collections: dict[str, tuple[Any, int]] = {}
        self._copies = ExitStack()

    def nearest(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest evidence of these types: `(evidence_id, cosine)`, best first."""
        if not source_types or limit < 1:
            return []
        with self._lock:
            collections = self._opened()
            found = [
                hit
                for source_type in source_types & collections.keys()
                for hit in _query(*collections[source_type], vector, limit)
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

    def _opened(self) -> dict[str, tuple[Any, int]]:
        """The collections that hold something, by source type, with their sizes."""
        if self._client is None:
            client = open_chroma(self._readable())
            sized = {kind: (one, one.count()) for kind, one in collections_by_type(client).items()}
            self._collections = {kind: (one, size) for kind, (one, size) in sized.items() if size}
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


def _query(
    collection: Any,  # noqa: ANN401 - Chroma's generics are of no use here
    size: int,
    vector: Vectors,
    limit: int,
) -> list[tuple[str, float]]:
    result = collection.query(query_embeddings=[vector], n_results=min(limit, size), include=["distances"])
    return [
        (key, 1.0 - float(distance)) for key, distance in zip(result["ids"][0], result["distances"][0], strict=True)
    ]


def open_chroma(place: Path) -> "Client":
    """Open the Chroma that lies in a folder; it is made where there is none."""
    import chromadb  # noqa: PLC0415 - heavy
    from chromadb.config import Settings  # noqa: PLC0415 - heavy

    settings = Settings(anonymized_telemetry=False)
    return cast("Client", chromadb.PersistentClient(path=str(place), settings=settings))


def collection_name(source_type: str) -> str:
    """Name of the collection of a source type; Chroma wants at least three characters."""
    return _PREFIX + source_type


def collections_by_type(client: "Client") -> dict[str, Any]:
    """The collections there are, by source type."""
    listed: Sequence[Any] = client.list_collections()
    return {one.name.removeprefix(_PREFIX): one for one in listed if one.name.startswith(_PREFIX)}
