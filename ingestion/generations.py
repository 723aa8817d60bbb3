"""The index folder: generations side by side, and a pointer to the one that answers.

A generation is complete when its manifest stands; it answers when `CURRENT` names it. Both appear by one atomic
rename each, so a reader sees a whole generation or the one before, whatever happens to the writer.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ingestion.errors import CorruptIndexError, IndexBusyError, MissingGenerationError, MissingIndexError

KEPT_GENERATIONS = 3
LOCK_WAIT_SECONDS = 3.0
_POINTER = "CURRENT"
_MANIFEST = "manifest.json"
_HOLDER = "writer.json"


def latest_generation(index: Path) -> str:
    """Name of the generation that answers now.

    Raises:
        MissingIndexError: There is no index, or none was ever finished.
        CorruptIndexError: The pointer names a generation that is not there.
    """
    try:
        name = (index / _POINTER).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise MissingIndexError(index) from error
    if not name or not (generation_path(index, name) / _MANIFEST).is_file():
        raise CorruptIndexError(index, f"its generation {name!r} is not there")
    return name


def generation_path(index: Path, name: str) -> Path:
    """Folder of a generation."""
    return index / "generations" / name


def complete_generations(index: Path) -> list[str]:
    """Names of the complete generations, oldest first."""
    return sorted(path.parent.name for path in (index / "generations").glob(f"*/{_MANIFEST}"))


def find_generation(index: Path, name: str | None) -> Path:
    """Folder of the named generation, or of the one that answers now.

    Raises:
        MissingIndexError: There is no index.
        MissingGenerationError: There is no such generation.
        CorruptIndexError: The index is damaged.
    """
    if name is None:
        return generation_path(index, latest_generation(index))
    if name not in complete_generations(index):
        latest_generation(index)
        raise MissingGenerationError(index, name, complete_generations(index))
    return generation_path(index, name)


def read_manifest(index: Path, name: str) -> dict[str, Any]:
    """Read what is known about a generation.

    Raises:
        CorruptIndexError: It cannot be read.
    """
    try:
        manifest = json.loads((generation_path(index, name) / _MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptIndexError(index, f"the manifest of {name} cannot be read") from error
    if not isinstance(manifest, dict):
        raise CorruptIndexError(index, f"the manifest of {name} is no object")
    return manifest


def new_generation(index: Path, fingerprint: str) -> str:
    """Make the folder of a new generation; its name sorts after all before it."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    name = f"{moment}-{fingerprint[:8]}"
    generation_path(index, name).mkdir(parents=True)
    return name


def publish(index: Path, name: str, manifest: dict[str, Any]) -> None:
    """Complete a generation and let it answer."""
    folder = generation_path(index, name)
    for file in (path for path in folder.rglob("*") if path.is_file()):
        _sync(file)
    _write_atomically(folder / _MANIFEST, json.dumps(manifest, ensure_ascii=False))
    _write_atomically(index / _POINTER, name + "\n")


def remove_leftovers(index: Path) -> None:
    """Remove what killed runs left behind, and all but the latest generations."""
    complete = complete_generations(index)
    kept = set(complete[-KEPT_GENERATIONS:])
    with suppress(MissingIndexError, CorruptIndexError):
        kept.add(latest_generation(index))
    for folder in (index / "generations").glob("*"):
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def writing(index: Path, wait_seconds: float = LOCK_WAIT_SECONDS) -> Iterator[None]:
    """Hold the index for writing; the lock goes with the process that holds it.

    Raises:
        IndexBusyError: Another run holds it.
    """
    holder = index / _HOLDER
    try:
        with FileLock(index / "writer.lock", timeout=wait_seconds):
            since = datetime.now(UTC).isoformat(timespec="seconds")
            holder.write_text(json.dumps({"pid": os.getpid(), "since": since}), encoding="utf-8")
            yield
    except Timeout as error:
        raise IndexBusyError(index, _describe(holder)) from error


def _describe(holder: Path) -> str:
    try:
        written = json.loads(holder.read_text(encoding="utf-8"))
        return f"process {written['pid']} since {written['since']}"
    except (OSError, ValueError, KeyError):
        return "another process"


def _write_atomically(path: Path, text: str) -> None:
    draft = path.with_name(path.name + ".new")
    draft.write_text(text, encoding="utf-8")
    _sync(draft)
    draft.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
