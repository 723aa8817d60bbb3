"""The knowledge base: one generation of an index, opened for reading."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock, RLock
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np
from cachetools import LRUCache

from ingestion.dense_index import DenseIndex
from ingestion.encoder import DIMENSIONS, Vectors
from ingestion.errors import CorruptIndexError, KnowledgeError, UnknownEvidenceError
from ingestion.evidence import (
    DOCUMENT_SOURCES,
    Evidence,
    GlossaryTerm,
    Product,
    concerns,
)
from ingestion.generations import (
    KNOWLEDGE_NAME,
    find_generation,
    generation_path,
    read_manifest,
)
from ingestion.knowledge_file import EVIDENCE_COLUMNS, GLOSSARIES, PRODUCTS, read_evidence
from ingestion.lexical_index import LexicalIndex
from ingestion.statements import statement_spans, unpacked

Row = TypeVar("Row")


class Remembered(Generic[Row]):
    """Rows by key, of which those used longest ago are forgotten; it may be asked from several threads.

    Args:
        read: Reads rows by their keys; those that do not exist are left out.
        size: Rows that are kept.
    """

    def __init__(self, read: Callable[[Sequence[str]], Mapping[str, Row]], size: int) -> None:
        self._read = read
        self._rows: LRUCache[str, Row] = LRUCache(size)
        self._lock = Lock()

    def of(self, keys: Sequence[str]) -> dict[str, Row]:
        """The rows of these keys that exist, each once."""
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            fresh = self._read(missing)
            with self._lock:
                self._rows.update(fresh)
            found |= fresh
        return found


_COLUMNS = ", ".join(f"evidence.{name}" for name in EVIDENCE_COLUMNS)
_CACHED_PRODUCTS = 512
_CACHED_EVIDENCE = 8192
"""Evidence that is kept with its two vectors, some 30 MB: every intent and turn finds much of the same again."""
_IDS_A_QUERY = 500


def open_knowledge(index: Path | str, generation: str | None = None) -> "IndexedKnowledge":
    """Open a generation, by default the one that answers now.

    Raises:
        MissingIndexError: There is no index.
        MissingGenerationError: The index has no such generation.
        CorruptIndexError: The index is damaged.
    """
    index = Path(index)
    folder = find_generation(index, generation)
    return IndexedKnowledge(index, folder.name)


def check_readable(index: Path, generation: str) -> None:
    """Make sure that a generation can be opened.

    Raises:
        CorruptIndexError: It is damaged.
    """
    knowledge = IndexedKnowledge(index, generation)
    try:
        knowledge.dense(np.ones(DIMENSIONS, dtype=np.float32), DOCUMENT_SOURCES, 1)
        knowledge.lexical("readable", DOCUMENT_SOURCES, 1)
    finally:
        knowledge.close()


class IndexedKnowledge:
    """A generation on disk, as the graph's `KnowledgeBase`; it may be read from several threads."""

    def __init__(self, index: Path, generation: str) -> None:
        self._index = index
        self._generation = generation
        self._lock = RLock()
        folder = generation_path(index, generation)
        self._dense = DenseIndex(folder)
        self._lexical = LexicalIndex(folder)
        with self._understood():
            uri = f"{(folder / KNOWLEDGE_NAME).resolve().as_uri()}?mode=ro&immutable=1"
            self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)
            records = self._rows("SELECT record FROM product ORDER BY number")
            products = [PRODUCTS.validate_json(record) for (record,) in records]
            meta = dict(self._rows("SELECT name, value FROM meta"))
            tables = self._rows("SELECT count(*) FROM sqlite_master WHERE name = 'statements'")
            self._knows_statements = tables == [(1,)]
            self._glossary = GLOSSARIES.validate_json(meta["glossary"])
            self._regions = {name: tuple(members) for name, members in json.loads(meta["regions"]).items()}
            self._about_groups = self._select(
                "WHERE product_id IS NULL AND (category IS NOT NULL OR brand IS NOT NULL) ORDER BY number"
            )
        self._products = MappingProxyType({product.id: product for product in products})
        self._about = lru_cache(maxsize=_CACHED_PRODUCTS)(self._read_about)
        self._evidence = Remembered(self._read_evidence, _CACHED_EVIDENCE)
        self._statements = Remembered(self._read_statements, _CACHED_EVIDENCE)
        self._vectors, self._documents = (
            Remembered(partial(self._read_embeddings, column), _CACHED_EVIDENCE)
            for column in ("vector", "coalesce(document, vector)")
        )

    @property
    def generation(self) -> str:
        """Name of the generation."""
        return self._generation

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id, in the shop's order."""
        return self._products

    @property
    def glossary(self) -> Sequence[GlossaryTerm]:
        """The shop's own words."""
        return self._glossary

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        """Region name to the names and postal prefixes that belong to it."""
        return self._regions

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        """The evidence of these ids, in their order.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """
        found = self._evidence.of(evidence_ids)
        return [found[evidence_id] for evidence_id in self._known(evidence_ids, found)]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The embeddings of these ids, in their order, shape `(len(evidence_ids), dimensions)`.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """
        return self._stacked(self._vectors, evidence_ids)

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """For each of these ids the mean direction of all chunks of its row or document, shaped like `vectors`.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """
        return self._stacked(self._documents, evidence_ids)

    def statement_vectors(self, evidence: Sequence[Evidence]) -> dict[str, Vectors]:
        """By evidence id the embeddings of its statements, in their order.

        What was not embedded is left out, and what says something else here than in the index, as a live fact may.
        """
        keys = [one.evidence_id for one in evidence]
        found, stored = self._statements.of(keys), self._evidence.of(keys)
        same = (one.evidence_id for one in evidence if one == stored.get(one.evidence_id))
        return {key: found[key] for key in same if key in found}

    def check_statements(self, encoder: str) -> None:
        """Make sure that the vectors of statements compare with those of an encoder.

        Args:
            encoder: Its fingerprint.

        Raises:
            KnowledgeError: They were made by another.
        """
        made_with = read_manifest(self._index, self._generation).get("statements")
        if made_with not in (None, encoder):
            msg = (
                f"The index {self._index} was made with the encoder {made_with}, and questions are read by "
                f"{encoder}: their vectors do not compare. Ingest again with: footnote ingest SHOP "
                f"--index {self._index}, or set `encoder` as it was."
            )
            raise KnowledgeError(msg)

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        """Everything of these types about a product, what is said of its category or brand included."""
        return [one for one in self._about(product_id) if one.source_type in source_types]

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest of what is found by search: `(evidence_id, cosine)`, best first.

        Raises:
            CorruptIndexError: The dense index cannot be read.
        """
        try:
            return self._dense.nearest(np.asarray(vector, dtype=np.float32).reshape(-1), source_types, limit)
        except Exception as error:
            raise CorruptIndexError(self._index, f"its dense index cannot be read: {error}") from error

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best of the same evidence by BM25: `(evidence_id, score)`, higher is better, best first.

        Raises:
            CorruptIndexError: The lexical index cannot be read.
        """
        try:
            return self._lexical.search(text, source_types, limit)
        except Exception as error:
            raise CorruptIndexError(self._index, f"its lexical index cannot be read: {error}") from error

    def row_ids(self) -> frozenset[str]:
        """Ids of the rows and documents that have evidence."""
        return frozenset(row_id for (row_id,) in self._rows("SELECT DISTINCT row_id FROM evidence"))

    def extra_columns(self, evidence_id: str) -> dict[str, Any]:
        """The columns of the evidence's row that have no place of their own."""
        rows = self._rows("SELECT columns FROM extra WHERE evidence_id = ?", (evidence_id,))
        return dict(json.loads(rows[0][0])) if rows else {}

    def close(self) -> None:
        """Release the files."""
        self._database.close()
        self._dense.close()
        self._lexical.close()

    def _stacked(self, remembered: Remembered[Vectors], evidence_ids: Sequence[str]) -> Vectors:
        found = remembered.of(evidence_ids)
        known = self._known(evidence_ids, found)
        return (
            np.stack([found[evidence_id] for evidence_id in known]) if known else np.zeros((0, DIMENSIONS), np.float32)
        )

    def _read_embeddings(self, column: str, evidence_ids: Sequence[str]) -> dict[str, Vectors]:
        found = self._by_id(f"evidence_id, {column}", "JOIN embedding USING (number)", evidence_ids)
        return {evidence_id: np.frombuffer(stored, dtype="<f4") for evidence_id, stored in found}

    def _read_statements(self, evidence_ids: Sequence[str]) -> dict[str, Vectors]:
        if not self._knows_statements:
            return {}
        stored = dict(self._by_id("evidence_id, vectors", "JOIN statements USING (number)", evidence_ids))
        known = self.evidence(list(stored))
        return {one.evidence_id: unpacked(stored[one.evidence_id], len(statement_spans(one))) for one in known}

    def _read_evidence(self, evidence_ids: Sequence[str]) -> dict[str, Evidence]:
        found = map(read_evidence, self._by_id(_COLUMNS, "", evidence_ids))
        return {one.evidence_id: one for one in found}

    def _by_id(self, columns: str, joined: str, evidence_ids: Sequence[str]) -> Iterator[Any]:
        """The rows of distinct ids, some hundreds at a time."""
        for start in range(0, len(evidence_ids), _IDS_A_QUERY):
            part = evidence_ids[start : start + _IDS_A_QUERY]
            places = ", ".join("?" * len(part))
            yield from self._rows(f"SELECT {columns} FROM evidence {joined} WHERE evidence_id IN ({places})", part)  # noqa: S608 - our own words alone

    def _read_about(self, product_id: str) -> tuple[Evidence, ...]:
        own = self._select("WHERE product_id = ? ORDER BY number", (product_id,))
        product = self._products.get(product_id)
        shared = [one for one in self._about_groups if product and concerns(one, product)]
        return (*own, *shared)

    def _select(self, condition: str, values: Sequence[Any] = ()) -> list[Evidence]:
        rows = self._rows(f"SELECT {_COLUMNS} FROM evidence {condition}", values)  # noqa: S608 - our own words alone
        return [read_evidence(row) for row in rows]

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock, self._understood():
            return self._database.execute(query, tuple(values)).fetchall()

    def _known(self, evidence_ids: Sequence[str], found: Mapping[str, Any]) -> Sequence[str]:
        for evidence_id in evidence_ids:
            if evidence_id not in found:
                raise UnknownEvidenceError(evidence_id, self._generation)
        return evidence_ids

    @contextmanager
    def _understood(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise  # ours, such as a question to a closed index
        except (sqlite3.DatabaseError, KeyError, TypeError, ValueError) as error:
            raise CorruptIndexError(self._index, f"{KNOWLEDGE_NAME} cannot be read: {error}") from error
