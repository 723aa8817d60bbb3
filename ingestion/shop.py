"""A whole shop, read: its products, its evidence, its words, and what could not be used."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import ValidationError

from ingestion import compose
from ingestion.chunking import CountTokens, chunk_blocks
from ingestion.embedding_text import text_budget
from ingestion.evidence import Evidence, GlossaryTerm, Product
from ingestion.readers.discovery import Discovery, SourceFile
from ingestion.readers.documents import UnreadableDocumentError, read_document
from ingestion.readers.issues import RowIssue
from ingestion.readers.rows import (
    FactRow,
    ProductRow,
    QuestionRow,
    ReviewRow,
    Row,
    explain,
    unknown_columns,
)
from ingestion.readers.tables import read_rows

AnyRow = TypeVar("AnyRow", bound=Row)


@dataclass(slots=True)
class Shop:
    """What a shop's files hold.

    Attributes:
        products: The catalog by id, in the shop's order.
        evidence: Everything that can be cited, by evidence id, in the shop's order.
        glossary: The shop's own words.
        regions: Region name to its members.
        extras: Evidence id to the unknown columns of its row.
        skipped: Rows and files that are not used.
        unknown_columns: Table name to unknown column and the number of rows that have it.
    """

    products: dict[str, Product] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    glossary: list[GlossaryTerm] = field(default_factory=list)
    regions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    extras: dict[str, dict[str, Any]] = field(default_factory=dict)
    skipped: list[RowIssue] = field(default_factory=list)
    unknown_columns: dict[str, Counter[str]] = field(default_factory=dict)


def read_shop(discovery: Discovery, count_tokens: CountTokens, progress: Callable[[int, int], None]) -> Shop:
    """Read all files of a shop.

    Args:
        discovery: The files.
        count_tokens: Tokens of a text, as the embedding model counts them.
        progress: Called with files read and files in all.
    """
    shop = Shop()
    for _, config in discovery.configs:
        shop.glossary += config.glossary
        shop.regions |= config.regions
    # Products come first, because the titles of what is said about them bear their names.
    order = ("products", "reviews", "questions", "facts", None)
    files = sorted(discovery.files, key=lambda source: order.index(source.table))
    reader = _Reader(shop, count_tokens)
    for number, source in enumerate(files, start=1):
        reader.read(source)
        progress(number, len(files))
    for term in shop.glossary:
        explained = compose.glossary_evidence(term)
        shop.evidence.setdefault(explained.evidence_id, explained)
    return shop


@dataclass(slots=True)
class _Reader:
    shop: Shop
    count_tokens: CountTokens
    _names: dict[str, str] = field(default_factory=dict)

    def read(self, source: SourceFile) -> None:
        if source.table is None:
            self._document(source)
            return
        {"products": self._products, "reviews": self._reviews, "questions": self._questions, "facts": self._facts}[
            source.table
        ](source)

    def _products(self, source: SourceFile) -> None:
        for line, row in self._rows(source, ProductRow):
            if row.id in self.shop.products:
                self._skip(source, line, f"a product {row.id!r} was read before")
                continue
            product = compose.product_of(row)
            self.shop.products[row.id] = product
            self._names[row.id] = row.name
            self._keep(source, line, row, compose.product_evidence(row, product))

    def _reviews(self, source: SourceFile) -> None:
        for line, row in self._rows(source, ReviewRow):
            self._keep(source, line, row, [compose.review_evidence(row, self._names)])

    def _questions(self, source: SourceFile) -> None:
        for line, row in self._rows(source, QuestionRow):
            self._keep(source, line, row, [compose.question_evidence(row, self._names)])

    def _facts(self, source: SourceFile) -> None:
        for line, row in self._rows(source, FactRow):
            self._keep(source, line, row, [compose.fact_evidence(row, self._names)])

    def _document(self, source: SourceFile) -> None:
        try:
            document = read_document(source)
        except UnreadableDocumentError as error:
            self._skip(source, None, str(error))
            return
        keywords = ", ".join([*document.meta.keywords, document.meta.description or ""])
        chunks = chunk_blocks(
            document.blocks,
            lambda section: text_budget(document.title, section, keywords, self.count_tokens),
            self.count_tokens,
        )
        self._keep(source, None, document.meta, compose.document_evidence(document, chunks))

    def _rows(self, source: SourceFile, model: type[AnyRow]) -> Iterator[tuple[int | None, AnyRow]]:
        columns = source.config.columns.get(source.table or "", {})
        for line, row in read_rows(source.path, columns):
            if isinstance(row, str):
                self._skip(source, line, row)
                continue
            try:
                yield line, model.model_validate(row)
            except ValidationError as error:
                self._skip(source, line, explain(error))

    def _keep(self, source: SourceFile, line: int | None, row: Row, composed: Iterable[Evidence]) -> None:
        unknown = unknown_columns(row)
        self.shop.unknown_columns.setdefault(source.table or "documents", Counter()).update(unknown.keys())
        for evidence in composed:
            if evidence.evidence_id in self.shop.evidence:
                self._skip(source, line, f"a row with the id {evidence.row_id!r} was read before")
                return
            self.shop.evidence[evidence.evidence_id] = evidence
            if unknown:
                self.shop.extras.setdefault(evidence.evidence_id, unknown)

    def _skip(self, source: SourceFile, line: int | None, reason: str) -> None:
        self.shop.skipped.append(RowIssue(source.relative, line, reason))
