"""What a dense index holds, noted beside it, so that the next one is made from it by its differences."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any

from ingestion.encoder import Vectors

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
