"""An index as a whole: what is known about it, and letting an earlier generation answer again."""

from pathlib import Path
from typing import Any

from ingestion.dense_index import CHROMA_FOLDER
from ingestion.embedding_cache import CACHE_NAME
from ingestion.errors import CorruptIndexError, explained
from ingestion.generations import (
    KNOWLEDGE_NAME,
    LOCK_WAIT_SECONDS,
    answer_from,
    complete_generations,
    find_generation,
    generation_before,
    generation_path,
    latest_generation,
    read_manifest,
    writing,
)
from ingestion.knowledge import check_readable
from ingestion.lexical_index import LEXICAL_FOLDER

_PARTS = {"dense": CHROMA_FOLDER, "lexical": LEXICAL_FOLDER, "knowledge": KNOWLEDGE_NAME}


def index_info(index: Path) -> dict[str, Any]:
    """Describe an index.

    Returns:
        `index`, `generation` (the one that answers), `generations` (names, oldest first), `history` (the same, each
        with `made_at`, `bytes`, `answers`, `evidence` and `changes`), and of the one that answers `model`, `products`,
        `paths` (where the files that it was made from lie), `evidence` (by source type) and `bytes` (of its parts, and
        of the cache that all share).

    Raises:
        MissingIndexError: There is no index.
        CorruptIndexError: What answers is damaged.
    """
    latest = latest_generation(index)
    manifest = read_manifest(index, latest)
    report = manifest.get("report", {})
    names = complete_generations(index)
    return {
        "index": str(index),
        "generation": latest,
        "generations": names,
        "history": [_generation(index, name, answers=name == latest) for name in names],
        "model": manifest.get("model"),
        "products": report.get("products"),
        "paths": manifest.get("paths", []),
        "evidence": report.get("evidence", {}),
        "bytes": {
            **{part: _bytes(generation_path(index, latest) / name) for part, name in _PARTS.items()},
            "cache": sum(map(_bytes, index.glob(f"{CACHE_NAME}*"))),
        },
    }


def _generation(index: Path, name: str, *, answers: bool) -> dict[str, Any]:
    try:
        manifest = read_manifest(index, name)
    except CorruptIndexError:
        if answers:
            raise
        manifest = {}
    report = manifest.get("report", {})
    return {
        "generation": name,
        "answers": answers,
        "made_at": manifest.get("made_at"),
        "seconds": report.get("seconds"),
        "bytes": _bytes(generation_path(index, name)),
        "evidence": sum(report.get("evidence", {}).values()),
        "changes": report.get("changes"),
    }


def _bytes(path: Path) -> int:
    """Size on disk of a file, or of all files below a folder."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def roll_back(index: Path, to: str | None = None, wait_seconds: float = LOCK_WAIT_SECONDS) -> tuple[str, str]:
    """Let an earlier generation answer again; nothing is removed.

    The next ingest compares the files with the generation that answers then. Where they are still those of the
    generation that was left, they come back as a new one, and the run says what that changes.

    Args:
        index: The index folder.
        to: The generation; by default the one that answered before the present one.
        wait_seconds: How long to wait for a run that writes the index.

    Returns:
        The generation that answered until now, and the one that answers now.

    Raises:
        MissingIndexError: There is no index.
        MissingGenerationError: It has no such generation, or no longer.
        NoEarlierGenerationError: Nothing answered before the present one.
        CorruptIndexError: The generation is damaged; the present one goes on answering.
        IngestError: The index cannot be written.
    """
    latest_generation(index)
    with explained(index), writing(index, wait_seconds):
        before = latest_generation(index)
        name = find_generation(index, to or generation_before(index, before)).name
        check_readable(index, name)
        answer_from(index, name)
    return before, name
