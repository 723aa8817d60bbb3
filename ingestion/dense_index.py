"""The dense index of a generation: Chroma, embedded, a collection for each source type that is found by search.

A search names its source types. With a collection for each, a filter costs and loses nothing at any size: a graph of
all types would be walked past most of what it holds to find the few of a rare type. A type of few rows is read whole
and compared row by row: that is exact, and takes a hundredth of the time of a query. Of an index that is written anew,
only what changed is written.
"""

import json
import os
import shutil
import sqlite3
import stat
import warnings
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from hashlib import blake2b, file_digest
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ingestion.encoder import Vectors
from ingestion.evidence import Evidence
from ingestion.generations import Progress, silent

if TYPE_CHECKING:
    from chromadb.api.client import Client


CHROMA_FOLDER = "chroma"
DATABASE_NAME = "chroma.sqlite3"
_PREFIX = "evidence-"
FEW_ROWS = 1000
"""Rows of a type that are read whole; Chroma hands them out at some 30 µs each."""

Hits = list[tuple[str, float]]


class _Searchable(Protocol):
    """The rows of a source type."""

    def nearest(self, vector: Vectors, limit: int) -> Hits:
        """The nearest: `(evidence_id, cosine)`."""
        ...


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
        self._collections: dict[str, _Searchable] = {}
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

    def _opened(self) -> dict[str, _Searchable]:
        """What holds something, by source type."""
        if self._client is None:
            client = open_chroma(self._readable())
            sized = {kind: (one, one.count()) for kind, one in collections_by_type(client).items()}
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


def collection_name(source_type: str) -> str:
    """Name of the collection of a source type; Chroma wants at least three characters."""
    return _PREFIX + source_type


def collections_by_type(client: "Client") -> dict[str, Any]:
    """The collections there are, by source type."""
    listed: Sequence[Any] = client.list_collections()
    return {one.name.removeprefix(_PREFIX): one for one in listed if one.name.startswith(_PREFIX)}


RECORD_NAME = "dense.json"
_DIGEST_BYTES = 8

Digests = Mapping[str, Mapping[str, str]]
"""Source type to evidence id to the digest of its vector."""


@dataclass(frozen=True, slots=True)
class DenseRecord:
    """What a dense index was made of; it is written when the index is whole.

    Attributes:
        parameters: How its graphs are built.
        changed: Vectors changed since it was last built afresh.
        digests: What it holds.
        graphs: Digests of the files of its graphs, by their paths in Chroma's folder.
    """

    parameters: Mapping[str, Any]
    changed: int
    digests: Digests
    graphs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Changes:
    """Evidence ids of one source type that are gone, and those that are new or have another vector."""

    gone: list[str]
    written: list[str]

    def __len__(self) -> int:
        return len(self.gone) + len(self.written)


def digest(vector: Vectors) -> str:
    """A short name of a vector's bytes."""
    return blake2b(vector.astype("<f4").tobytes(), digest_size=_DIGEST_BYTES).hexdigest()


def graph_digests(place: Path) -> dict[str, str]:
    """Digests of the files of the graphs in a Chroma folder; its database is left out, for it changes when opened."""
    return {
        str(path.relative_to(place)): _file_digest(path)
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.parent != place
    }


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, blake2b).hexdigest()


def differences(old: Digests, new: Digests) -> dict[str, Changes]:
    """What turns the old into the new, for every source type of either."""
    return {kind: _changes(old.get(kind, {}), new.get(kind, {})) for kind in sorted(old.keys() | new.keys())}


def _changes(old: Mapping[str, str], new: Mapping[str, str]) -> Changes:
    return Changes([key for key in old if key not in new], [key for key, name in new.items() if old.get(key) != name])


def write_record(record: DenseRecord, folder: Path) -> None:
    """Write a record beside the index."""
    (folder / RECORD_NAME).write_text(json.dumps(asdict(record)), encoding="utf-8")


def read_record(folder: Path) -> DenseRecord:
    """Read the record of the dense index in a generation's folder.

    Raises:
        OSError: There is none.
        ValueError: It is damaged; KeyError, TypeError and AttributeError mean the same.
    """
    content = json.loads((folder / RECORD_NAME).read_text(encoding="utf-8"))
    digests = {kind: dict(names) for kind, names in content["digests"].items()}
    return DenseRecord(dict(content["parameters"]), int(content["changed"]), digests, dict(content["graphs"]))


PARAMETERS = {"space": "cosine", "max_neighbors": 16, "ef_construction": 100, "ef_search": 100}
"""How the graphs are built and walked; the measurement is in docs/scale.md."""

_DRAFT = "chroma.draft"
"""A copy is changed under this name: Chroma remembers the place of one that it failed to open."""
_BATCH = 5000
"""Rows written at once; Chroma takes no more than 5,461."""
_ROWS_A_SAVE = 100_000
"""A save writes a whole graph to disk; what a killed build wrote since the last one is indexed again."""
_MAX_CHANGED_SHARE = 0.2
"""Deleted rows stay in a graph and are walked past, so one that was changed in more of its rows is built again."""
_SAVING = "saving"
"""A mark in Chroma's folder while a graph is saved: one that was killed then cannot be told from a whole one."""


@dataclass(frozen=True, slots=True)
class _RowsOfType:
    """The rows of one source type: their ids, and where their vectors stand."""

    vectors: Vectors
    ids: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def part(self, start: int, stop: int) -> tuple[list[str], Vectors]:
        return self.ids[start:stop], self.vectors[self.numbers[start:stop]]

    def only(self, ids: Sequence[str]) -> "_RowsOfType":
        wanted = dict(zip(self.ids, self.numbers, strict=True))
        return _RowsOfType(self.vectors, list(ids), [wanted[one] for one in ids])


def write_dense_index(
    folder: Path,
    evidence: Sequence[Evidence],
    vectors: Vectors,
    previous: Path | None = None,
    progress: Progress = silent,
) -> None:
    """Write the dense index into a generation's folder.

    Where the index of an earlier generation is whole and little has changed since it was built, a copy of it is
    changed; else all is built afresh. A build that was killed goes on with the rows that its folder lacks.

    Args:
        folder: The generation's folder.
        evidence: What is found by search.
        vectors: Its embeddings, unit vectors in the same order; a memory-mapped array is read block by block.
        previous: Folder of an earlier generation; it is only read.
        progress: Called after each block of rows.
    """
    rows: dict[str, _RowsOfType] = {}
    for number, one in enumerate(evidence):
        of_type = rows.setdefault(one.source_type, _RowsOfType(vectors))
        of_type.ids.append(one.evidence_id)
        of_type.numbers.append(number)
    digests = {
        source_type: {key: digest(vectors[number]) for key, number in zip(one.ids, one.numbers, strict=True)}
        for source_type, one in rows.items()
    }
    place = folder / CHROMA_FOLDER
    changed = _change_copy(place, rows, digests, previous) if previous else None
    if changed is None:
        _write_afresh(place, rows, progress)
    write_record(DenseRecord(PARAMETERS, changed or 0, digests, graph_digests(place)), folder)


def _write_afresh(place: Path, rows: Mapping[str, _RowsOfType], progress: Progress) -> None:
    done, total = 0, sum(len(one.ids) for one in rows.values())
    if (place / _SAVING).exists():
        shutil.rmtree(place)
    with _opened(place) as client:
        for source_type, one in rows.items():
            blocks, rows_a_save = _blocks(len(one.ids))
            configuration: Any = {"hnsw": {**PARAMETERS, "sync_threshold": rows_a_save}}
            collection = client.get_or_create_collection(
                collection_name(source_type), configuration=configuration, embedding_function=None
            )
            there = collection.count()
            for start, stop, saves in blocks:
                if stop > there:
                    ids, vectors = one.part(start, stop)
                    with _marked(place / _SAVING) if saves else nullcontext():
                        collection.add(ids=ids, embeddings=vectors)
                done += stop - start
                progress(done, total)


def _blocks(rows: int) -> tuple[list[tuple[int, int, bool]], int]:
    """The blocks in which rows are written and which of them Chroma saves, and after how many rows it is to save.

    The last save falls on the last row: rows after a save are indexed again whenever the index is opened.
    """
    saves = -(-rows // _ROWS_A_SAVE)
    blocks_a_save = -(-rows // (saves * _BATCH))
    edges = [int(edge) for edge in np.linspace(0, rows, saves * blocks_a_save + 1)]
    saved = edges[::blocks_a_save]
    return [(start, stop, stop in saved) for start, stop in pairwise(edges)], int(np.diff(saved).min())


def _change_copy(place: Path, rows: Mapping[str, _RowsOfType], digests: Digests, previous: Path) -> int | None:
    """Copy the earlier index and change the copy.

    Returns:
        How many rows have changed since it was built afresh; None where it cannot serve, whatever the reason.
    """
    draft = place.with_name(_DRAFT)
    with suppress(Exception):  # a fresh index needs nothing of a damaged one
        old = read_record(previous)
        changes = differences(old.digests, digests)
        changed = old.changed + sum(map(len, changes.values()))
        if old.parameters == PARAMETERS and changed <= _MAX_CHANGED_SHARE * sum(map(len, digests.values())):
            shutil.copytree(previous / CHROMA_FOLDER, draft)
            if not any(map(len, changes.values())):
                draft.rename(place)
                return changed
            _check_copy(draft, old)
            _apply({kind: one for kind, one in changes.items() if kind in old.digests and len(one)}, draft, rows)
            _write_afresh(draft, {kind: one for kind, one in rows.items() if kind not in old.digests}, silent)
            draft.rename(place)
            return changed
    shutil.rmtree(draft, ignore_errors=True)
    return None


def _check_copy(place: Path, record: DenseRecord) -> None:
    """Make sure that an index is as it was when it was recorded; Chroma may hang over a damaged graph.

    Raises:
        ValueError: It is not.
    """
    if graph_digests(place) != record.graphs:
        msg = "a graph has changed"
        raise ValueError(msg)
    with closing(sqlite3.connect(place / DATABASE_NAME)) as database:
        if database.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            msg = "the database is damaged"
            raise ValueError(msg)
    with _opened(place) as client:
        counts = {source_type: one.count() for source_type, one in collections_by_type(client).items()}
    if {kind: count for kind, count in counts.items() if count} != {k: len(v) for k, v in record.digests.items() if v}:
        msg = "rows are missing"
        raise ValueError(msg)


def _apply(changes: Mapping[str, Changes], place: Path, rows: Mapping[str, _RowsOfType]) -> None:
    """Delete and write what differs in collections that there are."""
    with _opened(place) as client, warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # Chroma warns of its own way to say "no embedding function"
        for source_type, change in changes.items():
            # The save falls on the last change, as in `_blocks`; a graph that is already open would not hear of it.
            client.get_collection(collection_name(source_type), embedding_function=None).modify(
                configuration={"hnsw": {"sync_threshold": len(change)}}
            )
    with _opened(place) as client:
        for source_type, change in changes.items():
            collection = client.get_collection(collection_name(source_type), embedding_function=None)
            for start in range(0, len(change.gone), _BATCH):
                collection.delete(ids=change.gone[start : start + _BATCH])
            for start in range(0, len(change.written), _BATCH):
                ids, vectors = rows[source_type].only(change.written).part(start, start + _BATCH)
                collection.upsert(ids=ids, embeddings=vectors)


@contextmanager
def _marked(mark: Path) -> Iterator[None]:
    mark.touch()
    yield
    mark.unlink()


@contextmanager
def _opened(place: Path) -> "Iterator[Client]":
    client = open_chroma(place)
    try:
        yield client
    finally:
        client.close()
