"""Ingest: from a shop's files to a new generation of an index."""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import numpy as np

from ingestion import embedding_cache, generations
from ingestion.chunking import Cutter
from ingestion.embedding_cache import Embedder, EmbeddingCache, TextEncoder, embed
from ingestion.encoder import DIMENSIONS, Vectors, shared_encoder
from ingestion.errors import (
    KnowledgeError,
    MissingPathError,
    NothingToIngestError,
    NothingUsableError,
    StrictError,
    explained,
)
from ingestion.evidence import Evidence
from ingestion.generations import LOCK_WAIT_SECONDS, silent, writing
from ingestion.knowledge import check_readable
from ingestion.knowledge_file import mean_direction, write_generation
from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.config import CONFIG_NAME
from ingestion.readers.confined import Confined
from ingestion.readers.discovery import Discovery, SourceFile, discover
from ingestion.readers.documents import Loaders, loader_class
from ingestion.readers.formats import DOCUMENT_FORMATS
from ingestion.readers.notes import RowIssue
from ingestion.readers.opening import RefusedFileError, open_regular
from ingestion.report import Changes, IngestReport, compare
from ingestion.shop import DocumentCache, Shop, read_shop
from ingestion.statements import embed_statements

Progress = Callable[[str, int, int], None]
"""Called with the stage (`read`, `embed`, `statements` or `write`), what is done of it, and what there is in all."""


def ingest(  # noqa: PLR0913 - each is a choice of its own
    paths: Sequence[Path | str],
    index: Path | str,
    *,
    strict: bool = False,
    progress: Progress = silent,
    encoder: TextEncoder | None = None,
    statements: Embedder | None = None,
    chunk_tokens: int | None = None,
    limits: ReadingLimits = DEFAULT_LIMITS,
    loaders: Loaders | None = None,
    wait_seconds: float = LOCK_WAIT_SECONDS,
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
        statements: Embeds statements; without one they are embedded when they are first read.
        chunk_tokens: Most tokens of a chunk's text; by default as many as the model's window has room for.
        limits: How much of a file is read.
        loaders: LangChain loaders in place of our own readers, or for other formats, by suffix.
        wait_seconds: How long to wait for another run that writes the same index.

    Raises:
        IngestError: The run could not finish; the message says why and what to do.
    """
    started = time.perf_counter()
    folder = Path(index)
    discovery = _discover([Path(path) for path in paths], folder, loaders or {})
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with writing(folder, wait_seconds):
            model = encoder or shared_encoder()
            named = [str(Path(path).resolve()) for path in paths]
            run = _Run(named, folder, discovery, model, statements, chunk_tokens, limits, progress, strict, started)
            return run.finish()


def _discover(paths: Sequence[Path], index: Path, loaders: Loaders) -> Discovery:
    for name in loaders.values():
        loader_class(name)  # before anything is read
    if not paths:
        raise NothingToIngestError([])
    try:
        discovery = discover(paths, exclude=index, loaders=loaders)
    except PermissionError as error:
        raise MissingPathError(Path(error.filename or paths[0]), "cannot be read (permission denied)") from error
    if not discovery.files:
        raise NothingToIngestError(paths, DOCUMENT_FORMATS)
    return discovery


def _check(skipped: Sequence[RowIssue], *, strict: bool) -> None:
    if strict and skipped:
        raise StrictError(len(skipped), str(skipped[0]))


@dataclass(frozen=True, slots=True)
class _Run:
    """One run, holding the index for writing."""

    paths: Sequence[str]
    index: Path
    discovery: Discovery
    encoder: TextEncoder
    statements: Embedder | None
    chunk_tokens: int | None
    limits: ReadingLimits
    progress: Progress
    strict: bool
    started: float

    def finish(self) -> IngestReport:
        digests = {source.path: source_digest(source) for source in self.discovery.files}
        made_from = fingerprint(self.discovery, digests.values(), self._recipe)
        if report := self._unchanged(made_from):
            return report
        try:
            return self._build(made_from, digests)
        except embedding_cache.DamagedCacheError:
            embedding_cache.remove(self.index)
            return self._build(made_from, digests)

    @property
    def _recipe(self) -> str:
        """All that decides what becomes of the files, but for the files."""
        statements = self.statements.fingerprint if self.statements else None
        return f"{self.encoder.fingerprint}\n{statements}\n{self.chunk_tokens}\n{self.limits!r}\n{code_version()}"

    def _unchanged(self, made_from: str) -> IngestReport | None:
        """The report of the generation that answers now, when it was made from the same and can be read."""
        try:
            name = generations.latest_generation(self.index)
            manifest = generations.read_manifest(self.index, name)
            if manifest["fingerprint"] != made_from:
                return None
            check_readable(self.index, name)
            report = IngestReport.from_dict(manifest["report"]).as_unchanged(self._seconds())
        except (KnowledgeError, KeyError, ValueError):
            return None
        _check(report.skipped, strict=self.strict)
        return report

    def _build(self, made_from: str, digests: Mapping[Path, bytes]) -> IngestReport:
        generations.remove_leftovers(self.index)
        with embedding_cache.opened(self.index) as cache:
            cutter = Cutter(self.encoder, self.chunk_tokens)
            shop = self._read(cutter, DocumentCache(cache, digests, self._recipe))
            fresh, vectors, statements = self._embed(cache, cutter, list(shop.evidence.values()))
            name = generations.new_generation(self.index, made_from)
            try:
                before = self._before()
                folder = generations.generation_path(self.index, name)
                write_generation(folder, shop, vectors, statements, partial(self.progress, "write"))
                report = self._publish(name, before, shop, fresh, made_from)
            except BaseException:
                generations.discard(self.index, name)
                raise
            generations.remove_leftovers(self.index)
            cache.prune()
        return report

    def _read(self, cutter: Cutter, documents: DocumentCache) -> Shop:
        with Confined(self.limits) as reading:
            shop = read_shop(self.discovery, cutter, partial(self.progress, "read"), reading, documents)
        _check(shop.skipped, strict=self.strict)
        if not shop.evidence and not shop.products:
            first = str(shop.skipped[0]) if shop.skipped else None
            raise NothingUsableError(len(self.discovery.files), first)
        return shop

    def _embed(
        self, cache: EmbeddingCache, cutter: Cutter, evidence: list[Evidence]
    ) -> tuple[int, Vectors, list[bytes] | None]:
        """How many texts had to be embedded, the vectors of all evidence, and those of its statements."""
        texts = [cutter.embedded(one) for one in evidence]
        fresh, found = embed(cache, texts, self.encoder, partial(self.progress, "embed"))
        vectors = np.zeros((len(evidence), DIMENSIONS), dtype=np.float32)
        for row, of_texts in enumerate(found):
            vectors[row] = mean_direction(of_texts)
        if self.statements is None:
            return fresh, vectors, None
        statements = embed_statements(cache, evidence, self.statements, partial(self.progress, "statements"))
        return fresh, vectors, statements

    def _publish(self, name: str, before: str | None, shop: Shop, fresh: int, made_from: str) -> IngestReport:
        """Let a written generation answer."""
        folder = generations.generation_path(self.index, name)
        previous = generations.generation_path(self.index, before) if before else None
        report = self._report(name, shop, fresh, compare(previous, folder))
        manifest = {
            "fingerprint": made_from,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "model": self.encoder.fingerprint,
            "statements": self.statements.fingerprint if self.statements else None,
            "paths": list(self.paths),
            "report": report.to_dict(),
        }
        generations.publish(self.index, name, manifest, before)
        return report

    def _before(self) -> str | None:
        try:
            return generations.latest_generation(self.index)
        except KnowledgeError:
            return None

    def _report(self, name: str, shop: Shop, fresh: int, changes: Changes) -> IngestReport:
        return IngestReport(
            generation=name,
            unchanged=False,
            products=len(shop.products),
            evidence=dict(sorted(Counter(one.source_type for one in shop.evidence.values()).items())),
            embedded=fresh,
            changes=changes,
            skipped=tuple(shop.skipped),
            notes=tuple(shop.notes),
            unknown_columns={table: dict(columns) for table, columns in shop.unknown_columns.items() if columns},
            ignored=self.discovery.ignored,
            seconds=self._seconds(),
        )

    def _seconds(self) -> float:
        return round(time.perf_counter() - self.started, 3)


_PARSERS = sorted({"ftfy", "pyarrow", *(name for form in DOCUMENT_FORMATS.values() for name in form.packages)})


def fingerprint(discovery: Discovery, sources: Iterable[bytes], recipe: str) -> str:
    """Hash what a generation is made from.

    Args:
        discovery: The files.
        sources: A digest of each of them.
        recipe: Names the code that reads and cuts them and the embedding model.
    """
    digest = hashlib.sha256(f"{recipe}\n".encode() + b"".join(sources))
    for folder_config, _ in discovery.configs:
        digest.update(f"{CONFIG_NAME}\n{_hash(folder_config)}\n".encode())
    digest.update(repr(sorted(discovery.ignored.items())).encode())
    digest.update(repr(sorted(map(str, discovery.unreadable))).encode())
    return digest.hexdigest()


def source_digest(source: SourceFile) -> bytes:
    """Hash of all that decides what is read from a file, the mapping of a table's columns included."""
    columns = source.config.columns.get(source.table or "", {})
    named = f"{source.relative}\n{source.table}\n{sorted(columns.items())}\n{source.loader}\n"
    digest = hashlib.sha256(named.encode(errors="surrogateescape"))
    for path in filter(None, (source.path, source.sidecar)):
        digest.update(f"{path.name}\n{_hash(path)}\n".encode(errors="surrogateescape"))
    return digest.digest()


def _hash(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, RefusedFileError):
        return "unreadable"  # reading it will say so


@cache
def code_version() -> str:
    """Hash of this package, its tables and its parsers: evidence composed by older versions is composed anew."""
    package = Path(__file__).parent
    digest = hashlib.sha256("\n".join(f"{name} {version(name)}" for name in _PARSERS).encode())
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.toml")]):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
