"""The index folder: generations side by side, a pointer to the one that answers, and the lock of the one that writes.

A generation is complete when its manifest stands; it answers when `CURRENT` names it. Both appear by one atomic
rename each, so a reader sees a whole generation or the one before, whatever happens to the writer.
"""

import json
import logging
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ingestion.errors import (
    CorruptIndexError,
    IngestError,
    MissingGenerationError,
    MissingIndexError,
    NoEarlierGenerationError,
)

KEPT_GENERATIONS = 3
KNOWLEDGE_NAME = "knowledge.sqlite"
"""The file of a generation that holds its evidence and its catalog."""
_POINTER = "CURRENT"
_MANIFEST = "manifest.json"
_BEFORE = "before"

logger = logging.getLogger(__name__)


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


def publish(index: Path, name: str, manifest: dict[str, Any], before: str | None) -> None:
    """Complete a generation and let it answer.

    Args:
        index: The index folder.
        name: The generation.
        manifest: What is to be known about it.
        before: The generation that answered until now, to which a rollback returns.
    """
    folder = generation_path(index, name)
    for path in folder.rglob("*"):
        _sync(path)
    whole = {**manifest, _BEFORE: before}
    _write_atomically(folder / _MANIFEST, json.dumps(whole, ensure_ascii=False))
    _sync(folder.parent)
    answer_from(index, name)


def answer_from(index: Path, name: str) -> None:
    """Let a complete generation answer from now on."""
    _write_atomically(index / _POINTER, name + "\n")


def generation_before(index: Path, name: str) -> str:
    """The generation that answered before this one, or the latest that is older where that is gone.

    Raises:
        NoEarlierGenerationError: There is none.
        CorruptIndexError: The manifest of this one cannot be read.
    """
    complete = complete_generations(index)
    before = read_manifest(index, name).get(_BEFORE)
    if before in complete:
        return str(before)
    older = [other for other in complete if other < name]
    if not older:
        raise NoEarlierGenerationError(index, name, complete)
    return older[-1]


def remove_leftovers(index: Path) -> None:
    """Remove what killed runs left behind, and generations that nobody will go back to.

    Kept are the latest, the one that answers, and those that answered before it.
    """
    kept = set(complete_generations(index)[-KEPT_GENERATIONS:])
    with suppress(MissingIndexError, CorruptIndexError, NoEarlierGenerationError):
        name = latest_generation(index)
        kept.add(name)
        for _ in range(KEPT_GENERATIONS - 1):
            name = generation_before(index, name)
            kept.add(name)
    for folder in (index / "generations").glob("*"):
        if folder.name not in kept:
            discard(index, folder.name)


def discard(index: Path, name: str) -> None:
    """Remove a generation, unless it answers; its manifest goes first, so that no half of it is taken for a whole."""
    with suppress(MissingIndexError, CorruptIndexError):
        if latest_generation(index) == name:
            return
    folder = generation_path(index, name)
    with suppress(OSError):
        (folder / _MANIFEST).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


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


LOCK_WAIT_SECONDS = 60.0
"""How long a run waits for the one before it."""
_LOCK = "writer.lock"
_HOLDER = "writer.txt"

Progress = Callable[[int, int], None]
"""Called while the index is written, with what is done and what there is in all."""


def silent(*_progress: object) -> None:
    """Tell nobody."""


@contextmanager
def writing(index: Path, wait_seconds: float = LOCK_WAIT_SECONDS) -> Iterator[None]:
    """Hold the index for writing; the lock goes with the process that holds it, however that ends.

    Args:
        index: The index folder.
        wait_seconds: How long to wait for another run to finish.

    Raises:
        IngestError: Another run holds it all that time.
    """
    lock = FileLock(index / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if wait_seconds:
            logger.warning("%s is being written by %s; waiting up to %g s", index, _holder(index), wait_seconds)
        try:
            lock.acquire(timeout=wait_seconds)
        except Timeout:
            msg = (
                f"{index} is being written by {_holder(index)}; waited {wait_seconds:g} s. "
                "Try again when it has finished, or wait longer with --wait SECONDS."
            )
            raise IngestError(msg) from None
    try:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        holder = f"process {os.getpid()} on {socket.gethostname()} since {since}"
        (index / _HOLDER).write_text(holder, encoding="utf-8")
        yield
    finally:
        lock.release()


def _holder(index: Path) -> str:
    """Who is writing an index."""
    try:
        return (index / _HOLDER).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return "another process"
