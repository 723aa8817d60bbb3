"""A whole shop, read: its products, its evidence, its words, and what could not be used."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from ingestion import compose
from ingestion.chunking import Cutter
from ingestion.embedding_cache import EmbeddingCache
from ingestion.evidence import Evidence, GlossaryTerm, Product
from ingestion.readers.confined import BrokenOffError, Confined
from ingestion.readers.discovery import Discovery, SourceFile
from ingestion.readers.documents import UnreadableDocumentError, read_confined
from ingestion.readers.notes import Notes, RowIssue
from ingestion.readers.opening import RefusedFileError
from ingestion.readers.rows import (
    DocumentMeta,
    FactRow,
    LeftOut,
    ProductRow,
    QuestionRow,
    ReviewRow,
    explain,
    kept_columns,
)
from ingestion.readers.tables import read_rows

TableRow = ProductRow | ReviewRow | QuestionRow | FactRow

_MODELS: dict[str, type[TableRow]] = {
    "products": ProductRow,
    "reviews": ReviewRow,
    "questions": QuestionRow,
    "facts": FactRow,
}
_MAX_ISSUES = 10_000
"""So many problems of one file are told one by one; the others are counted."""
_KINDS = {ProductRow: "product", ReviewRow: "review", QuestionRow: "qa"}
"""By what ids of a table must differ; those of facts by their source type."""


@dataclass(slots=True)
class Shop:
    """What a shop's files hold.

    Attributes:
        products: The catalog by id, in the shop's order.
        evidence: Everything that can be cited, by evidence id, in the shop's order.
        glossary: The shop's own words.
        regions: Region name to its members.
        extras: Evidence id to those columns of its row that it does not show.
        skipped: Rows, values of rows, and files that are not used.
        notes: What a shop should know of what is used all the same.
        unknown_columns: Table name to unknown column and the number of rows that have it.
    """

    products: dict[str, Product] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    glossary: list[GlossaryTerm] = field(default_factory=list)
    regions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    extras: dict[str, dict[str, Any]] = field(default_factory=dict)
    skipped: list[RowIssue] = field(default_factory=list)
    notes: list[RowIssue] = field(default_factory=list)
    unknown_columns: dict[str, Counter[str]] = field(default_factory=dict)


def read_shop(
    discovery: Discovery,
    cutter: Cutter,
    progress: Callable[[int, int], None],
    reading: Confined,
    documents: "DocumentCache | None" = None,
) -> Shop:
    """Read all files of a shop.

    Args:
        discovery: The files.
        cutter: Cuts documents into chunks.
        progress: Called with files read and files in all.
        reading: The process for foreign formats, and the limits of what is read.
        documents: Remembers what documents gave before; without it all are read.
    """
    shop = Shop(skipped=list(discovery.unreadable))
    for _, config in discovery.configs:
        shop.glossary += config.glossary
        shop.regions |= config.regions
    # Products come first, because the titles of what is said about them bear their names.
    order = ("products", "reviews", "questions", "facts", None)
    files = sorted(discovery.files, key=lambda source: order.index(source.table))
    reader = _Reader(shop, cutter, documents, reading)
    for number, source in enumerate(files, start=1):
        reader.read(source)
        progress(number, len(files))
    for path, config in discovery.configs:
        for term in config.glossary:
            explained = compose.glossary_evidence(term)
            if shop.evidence.setdefault(explained.evidence_id, explained).text != explained.text:
                reason = (
                    f"the word {term.term!r} has the id {explained.evidence_id!r}, which was read before and is kept"
                )
                shop.skipped.append(RowIssue(path.name, None, reason))
    return shop


@dataclass(frozen=True, slots=True)
class ComposedDocument:
    """What one document gives.

    Attributes:
        evidence: Its chunks.
        unknown: Its metadata that has no place of its own.
        notes: What a shop should know of it.
    """

    evidence: tuple[Evidence, ...]
    unknown: Mapping[str, Any]
    notes: tuple[RowIssue, ...]


_COMPOSED = TypeAdapter(ComposedDocument)


@dataclass(frozen=True, slots=True)
class DocumentCache:
    """Remembers what documents gave.

    Attributes:
        cache: Where it is kept.
        digests: The hash of every document and its metadata, by its path.
        recipe: Changes with all else that decides what a document gives.
    """

    cache: EmbeddingCache
    digests: Mapping[Path, bytes]
    recipe: str

    def composed(self, path: Path, compose: Callable[[], ComposedDocument]) -> ComposedDocument:
        """What a document gives, composed only where it is not known."""
        key = sha256(self.recipe.encode() + self.digests[path]).digest()
        if known := self.cache.found("document", [key]):
            return _COMPOSED.validate_json(known[key])
        document = compose()
        self.cache.keep("document", {key: _COMPOSED.dump_json(document)})
        return document


class _First(NamedTuple):
    """What was read first under an id."""

    digest: bytes
    file: str
    line: int | None


@dataclass(slots=True)
class _Reader:
    shop: Shop
    cutter: Cutter
    documents: DocumentCache | None
    reading: Confined
    _skipped: Counter[str] = field(default_factory=Counter)
    _names: dict[str, str] = field(default_factory=dict)
    _seen: dict[tuple[str, str], _First] = field(default_factory=dict)

    def read(self, source: SourceFile) -> None:
        """Read one file; one that cannot be read is a problem of its own."""
        notes = Notes(source.relative)
        try:
            if source.table is None:
                self._document(source, notes)
            else:
                self._table(source, notes)
        except OSError as error:
            self._skip(source, None, f"cannot be read: {error.strerror or error}; it may have changed, ingest again")
        except (BrokenOffError, RefusedFileError) as error:
            self._skip(source, None, f"cannot be read: {error}")
        except UnreadableDocumentError as error:
            self._skip(source, None, str(error))
        if (more := self._skipped[source.relative] - _MAX_ISSUES) > 0:
            self.shop.skipped.append(RowIssue(source.relative, None, f"{more:,} more problems of rows"))
        self.shop.notes += notes

    def _table(self, source: SourceFile, notes: Notes) -> None:
        for line, row in self._rows(source, _MODELS[source.table or ""], notes):
            kind = row.source_type if isinstance(row, FactRow) else _KINDS[type(row)]
            if self._is_first(source, line, (kind, row.id), dict(row)):
                self._keep(source, line, kept_columns(row), self._evidence(row))
                if not isinstance(row, ProductRow):
                    self._check_product(row.product_id, line, notes)

    def _evidence(self, row: TableRow) -> Iterable[Evidence]:
        if isinstance(row, ProductRow):
            product = compose.product_of(row)
            self.shop.products[row.id] = product
            self._names[row.id] = row.name
            return (part for one in compose.product_evidence(row, product) for part in self.cutter.row(one))
        if isinstance(row, FactRow):
            return self.cutter.row(compose.fact_evidence(row, self._names))
        if isinstance(row, ReviewRow):
            return self.cutter.row(compose.review_evidence(row, self._names))
        return self.cutter.row(compose.question_evidence(row, self._names))

    def _document(self, source: SourceFile, notes: Notes) -> None:
        if self.documents is None:
            composed = self._composed(source)
        else:
            composed = self.documents.composed(source.path, lambda: self._composed(source))
        self.shop.notes += composed.notes
        first = composed.evidence[0]
        if self._is_first(source, None, (first.source_type, first.row_id), composed.evidence):
            self._keep(source, None, composed.unknown, composed.evidence)
            self._check_product(first.product_id, None, notes)

    def _composed(self, source: SourceFile) -> ComposedDocument:
        notes = Notes(source.relative)
        document = read_confined(source, notes, self.reading)
        evidence = compose.document_evidence(document, self.cutter.document(document))
        return ComposedDocument(tuple(evidence), kept_columns(document.meta), tuple(notes))

    def _rows(self, source: SourceFile, model: type[TableRow], notes: Notes) -> Iterator[tuple[int | None, TableRow]]:
        columns = source.config.columns.get(source.table or "", {})
        for line, row in read_rows(source.path, columns, model.model_fields, notes, self.reading):
            if isinstance(row, str):
                self._skip(source, line, row)
                continue
            left_out = LeftOut()
            try:
                checked = model.model_validate(row, context=left_out)
            except ValidationError as error:
                self._skip(source, line, explain(error))
            except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
                self._skip(source, line, f"has a value that cannot be read: {error}")
            else:
                for reason in left_out:
                    self._skip(source, line, f"{reason}; the rest of the row is kept")
                yield line, checked

    def _is_first(self, source: SourceFile, line: int | None, key: tuple[str, str], content: object) -> bool:
        """Whether an id is new; of several rows with one id the first is kept, and those that differ are reported."""
        digest = blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        first = self._seen.setdefault(key, _First(digest, source.relative, line))
        if first.file == source.relative and first.line == line:
            return True
        if first.digest != digest:
            where = RowIssue(first.file, first.line, "").place
            self._skip(source, line, f"the id {key[1]!r} was read before, with other content ({where}), which is kept")
        return False

    def _keep(
        self, source: SourceFile, line: int | None, columns: Mapping[str, Any], composed: Iterable[Evidence]
    ) -> None:
        """Take evidence in, with those columns of its row that it does not show."""
        beside = _MODELS.get(source.table or "", DocumentMeta).beside
        unknown = (name for name in columns if name not in beside)
        self.shop.unknown_columns.setdefault(source.table or "documents", Counter()).update(unknown)
        for evidence in composed:
            if evidence.evidence_id in self.shop.evidence:
                self._skip(source, line, f"there is evidence {evidence.evidence_id!r} already, which is kept")
                continue
            self.shop.evidence[evidence.evidence_id] = evidence
            if columns:
                self.shop.extras.setdefault(evidence.evidence_id, dict(columns))

    def _check_product(self, product_id: str | None, line: int | None, notes: Notes) -> None:
        """Report what is about a product that no table lists; products are read first, so all are known by now."""
        if product_id is not None and product_id not in self.shop.products:
            notes.add(f"no product has the id {product_id!r}; kept, but questions about a product do not find it", line)

    def _skip(self, source: SourceFile, line: int | None, reason: str) -> None:
        self._skipped[source.relative] += 1
        if self._skipped[source.relative] > _MAX_ISSUES:
            return
        self.shop.skipped.append(RowIssue(source.relative, line, reason))
