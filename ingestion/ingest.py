"""Ingest: from a shop's files to a new generation of an index."""

import errno
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ingestion import generations
from ingestion.dense_index import write_dense_index
from ingestion.embedding_cache import TextEncoder, embed
from ingestion.embedding_text import embedding_texts
from ingestion.encoder import shared_encoder
from ingestion.errors import (
    DiskFullError,
    IngestError,
    KnowledgeError,
    MissingPathError,
    NothingToIngestError,
    NothingUsableError,
    StrictError,
    UnwritableIndexError,
)
from ingestion.fingerprint import fingerprint
from ingestion.knowledge import check_readable
from ingestion.knowledge_file import write_knowledge
from ingestion.readers.discovery import Discovery, discover
from ingestion.readers.issues import RowIssue
from ingestion.report import IngestReport
from ingestion.scope import is_searched
from ingestion.shop import Shop, read_shop

Progress = Callable[[str, int, int], None]
"""Called with the stage (`read`, `embed` or `write`), what is done of it, and what there is in all."""


def _silent(_stage: str, _done: int, _total: int) -> None:
    """Show no progress."""


def ingest(
    paths: Sequence[Path | str],
    index: Path | str,
    *,
    strict: bool = False,
    progress: Progress = _silent,
    encoder: TextEncoder | None = None,
) -> IngestReport:
    """Read a shop's files into a new generation of an index, and let it answer.

    Nothing is done when the files, the code that reads them and the embedding model are those of the generation that
    answers now. Whatever happens, that generation goes on answering until the new one is whole.

    Args:
        paths: Files and folders of one shop.
        index: The index folder; made where it is missing.
        strict: Refuse the whole run for one bad row.
        progress: Told how far the run is.
        encoder: The embedding model; by default the one of this package.

    Raises:
        IngestError: The run could not finish; the message says why and what to do.
    """
    started = time.perf_counter()
    folder = Path(index)
    discovery = _discover([Path(path) for path in paths], folder)
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with generations.writing(folder):
            return _Run(folder, discovery, encoder or shared_encoder(), progress, strict, started).finish()


def _discover(paths: Sequence[Path], index: Path) -> Discovery:
    if not paths:
        raise NothingToIngestError([])
    try:
        discovery = discover(paths, exclude=index)
    except PermissionError as error:
        raise MissingPathError(Path(error.filename or paths[0]), "cannot be read (permission denied)") from error
    if not discovery.files:
        raise NothingToIngestError(paths)
    return discovery


def _check(skipped: Sequence[RowIssue], *, strict: bool) -> None:
    if strict and skipped:
        raise StrictError(len(skipped), str(skipped[0]))


@dataclass(frozen=True, slots=True)
class _Run:
    """One run, holding the index for writing."""

    index: Path
    discovery: Discovery
    encoder: TextEncoder
    progress: Progress
    strict: bool
    started: float

    def finish(self) -> IngestReport:
        made_from = fingerprint(self.discovery, self.encoder.fingerprint)
        return self._unchanged(made_from) or self._build(made_from)

    def _unchanged(self, made_from: str) -> IngestReport | None:
        """The report of the generation that answers now, when it was made from the same and can be read."""
        try:
            name = generations.latest_generation(self.index)
            manifest = generations.read_manifest(self.index, name)
            if manifest["fingerprint"] != made_from:
                return None
            check_readable(self.index, name)
            report = IngestReport.from_dict(
                {**manifest["report"], "unchanged": True, "embedded": 0, "seconds": self._seconds()}
            )
        except (KnowledgeError, KeyError, TypeError):
            return None
        _check(report.skipped, strict=self.strict)
        return report

    def _build(self, made_from: str) -> IngestReport:
        generations.remove_leftovers(self.index)
        shop = self._read()
        evidence = list(shop.evidence.values())
        texts = [embedding_texts(one, self.encoder.count_tokens) for one in evidence]
        vectors, embedded = embed(self.index, texts, self.encoder, partial(self.progress, "embed"))
        name = generations.new_generation(self.index, made_from)
        folder = generations.generation_path(self.index, name)
        self.progress("write", 0, 1)
        write_knowledge(folder, shop, vectors)
        searched = [number for number, one in enumerate(evidence) if is_searched(one)]
        write_dense_index(folder, [evidence[number] for number in searched], vectors[searched])
        report = self._report(name, shop, embedded)
        generations.publish(self.index, name, {"fingerprint": made_from, "report": report.to_dict()})
        generations.remove_leftovers(self.index)
        self.progress("write", 1, 1)
        return report

    def _read(self) -> Shop:
        shop = read_shop(self.discovery, self.encoder.count_tokens, partial(self.progress, "read"))
        _check(shop.skipped, strict=self.strict)
        if not shop.evidence and not shop.products:
            first = str(shop.skipped[0]) if shop.skipped else None
            raise NothingUsableError(len(self.discovery.files), first)
        return shop

    def _report(self, name: str, shop: Shop, embedded: int) -> IngestReport:
        return IngestReport(
            generation=name,
            unchanged=False,
            products=len(shop.products),
            evidence=dict(sorted(Counter(one.source_type for one in shop.evidence.values()).items())),
            embedded=embedded,
            skipped=tuple(shop.skipped),
            unknown_columns={table: dict(columns) for table, columns in shop.unknown_columns.items() if columns},
            ignored=self.discovery.ignored,
            seconds=self._seconds(),
        )

    def _seconds(self) -> float:
        return round(time.perf_counter() - self.started, 3)


@contextmanager
def _explained(index: Path) -> Iterator[None]:
    """Say in our words what the disk refuses."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFullError(index) from error
        raise UnwritableIndexError(index, error.strerror or str(error)) from error
    except IngestError:
        raise
    except Exception as error:
        # SQLite and Chroma have classes of their own for a full disk, and Chroma's says so in words alone.
        if re.search(r"disk is full|disk full|no space left", str(error), re.IGNORECASE):
            raise DiskFullError(index) from error
        if isinstance(error, sqlite3.OperationalError):
            raise UnwritableIndexError(index, str(error)) from error
        raise
