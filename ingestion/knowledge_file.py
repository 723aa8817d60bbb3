"""A generation on disk: its knowledge file, and how it is written whole."""

import json
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from ingestion.dense_index import write_dense_index
from ingestion.encoder import Vectors
from ingestion.evidence import Evidence, GlossaryTerm, Product, is_searched
from ingestion.generations import KNOWLEDGE_NAME, Progress
from ingestion.lexical_index import write_lexical_index
from ingestion.shop import Shop

PRODUCT = "product"
"""Stands for entries of the catalog beside the source types of evidence."""
_DIGEST_BYTES = 12

EVIDENCE_COLUMNS = tuple(field.name for field in fields(Evidence))
_VALUES = attrgetter(*EVIDENCE_COLUMNS)
_KEYWORDS = EVIDENCE_COLUMNS.index("keywords")
PRODUCTS = TypeAdapter(Product)
GLOSSARIES = TypeAdapter(tuple[GlossaryTerm, ...])
"""Read and write records of these kinds."""

_TABLES = f"""
CREATE TABLE evidence (number INTEGER PRIMARY KEY, {", ".join(EVIDENCE_COLUMNS)});
CREATE TABLE embedding (number INTEGER PRIMARY KEY, vector BLOB NOT NULL, document BLOB);
CREATE TABLE statements (number INTEGER PRIMARY KEY, vectors BLOB NOT NULL);
CREATE TABLE product (number INTEGER PRIMARY KEY, product_id TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
CREATE TABLE extra (evidence_id TEXT PRIMARY KEY, columns TEXT NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_INDEXES = """
CREATE UNIQUE INDEX evidence_by_id ON evidence (evidence_id);
CREATE INDEX evidence_by_product ON evidence (product_id);
"""


def evidence_record(evidence: Evidence) -> tuple[Any, ...]:
    """An evidence as a row of the columns `EVIDENCE_COLUMNS`."""
    values = list(_VALUES(evidence))
    values[_KEYWORDS] = json.dumps(evidence.keywords, ensure_ascii=False)
    return tuple(values)


def read_evidence(record: tuple[Any, ...]) -> Evidence:
    """Read what `evidence_record` wrote."""
    values = list(record)
    values[_KEYWORDS] = tuple(json.loads(values[_KEYWORDS]))
    return Evidence(*values)


def mean_direction(vectors: Vectors) -> Vectors:
    """The unit vector that stands for several."""
    total: Vectors = vectors.sum(axis=0)
    return total if len(vectors) == 1 else total / np.float32(max(float(np.linalg.norm(total)), 1e-12))


def _write_knowledge(folder: Path, shop: Shop, vectors: Vectors, statements: Sequence[bytes] | None) -> None:
    """Write `knowledge.sqlite`."""
    with closing(sqlite3.connect(folder / KNOWLEDGE_NAME)) as database, database:
        # The file is synced as a whole before it is published, and one that is not whole is never read.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = OFF")
        database.executescript(_TABLES)
        _write_evidence(database, shop, vectors)
        if statements is not None:
            rows = ((number, packed) for number, packed in enumerate(statements) if packed)
            database.executemany("INSERT INTO statements VALUES (?, ?)", rows)
        _write_shop(database, shop)
        database.executescript(_INDEXES)


def read_digests(folder: Path) -> dict[tuple[str, str], bytes]:
    """What a generation holds: `(source type, evidence id)` and `("product", product id)` to a digest of its content.

    Raises:
        sqlite3.DatabaseError: It is damaged.
    """
    uri = f"{(folder / KNOWLEDGE_NAME).resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as database:
        entries = database.execute(
            f"SELECT source_type, evidence_id, {', '.join(EVIDENCE_COLUMNS)}, columns "  # noqa: S608 - our own words
            f"FROM evidence LEFT JOIN extra USING (evidence_id) UNION ALL "
            f"SELECT '{PRODUCT}', product_id, record{', NULL' * len(EVIDENCE_COLUMNS)} FROM product"
        )
        return {
            (kind, key): blake2b(repr(content).encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).digest()
            for kind, key, *content in entries
        }


def _write_evidence(database: sqlite3.Connection, shop: Shop, vectors: Vectors) -> None:
    evidence = list(shop.evidence.values())
    documents = _of_documents(evidence, vectors)
    places = ", ".join("?" * (len(EVIDENCE_COLUMNS) + 1))
    database.executemany(
        f"INSERT INTO evidence VALUES ({places})",  # noqa: S608 - placeholders alone
        ((number, *evidence_record(one)) for number, one in enumerate(evidence)),
    )
    database.executemany(
        "INSERT INTO embedding VALUES (?, ?, ?)",
        ((number, _packed(vectors[number]), document) for number, document in enumerate(documents)),
    )


def _write_shop(database: sqlite3.Connection, shop: Shop) -> None:
    """Write what is not evidence: the catalog, unknown columns, words and regions."""
    database.executemany(
        "INSERT INTO product VALUES (?, ?, ?)",
        (
            (number, product.id, PRODUCTS.dump_json(product).decode())
            for number, product in enumerate(shop.products.values())
        ),
    )
    database.executemany(
        "INSERT INTO extra VALUES (?, ?)",
        ((evidence_id, _json(columns)) for evidence_id, columns in shop.extras.items()),
    )
    database.executemany(
        "INSERT INTO meta VALUES (?, ?)",
        [("glossary", GLOSSARIES.dump_json(tuple(shop.glossary)).decode()), ("regions", _json(shop.regions))],
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _of_documents(evidence: Sequence[Evidence], vectors: Vectors) -> list[bytes | None]:
    """For each chunk the direction of its document's mean vector; none where it is the whole document."""
    chunks: dict[tuple[str, str], list[int]] = {}
    for number, one in enumerate(evidence):
        chunks.setdefault((one.source_type, one.row_id), []).append(number)
    packed: list[bytes | None] = [None] * len(evidence)
    for numbers in chunks.values():
        if len(numbers) > 1:
            mean = _packed(mean_direction(vectors[numbers]))
            for number in numbers:
                packed[number] = mean
    return packed


def _packed(vector: Vectors) -> bytes:
    return vector.astype("<f4").tobytes()


def write_generation(
    folder: Path, shop: Shop, vectors: Vectors, statements: Sequence[bytes] | None, progress: Progress
) -> None:
    """Write a generation's knowledge, and its dense and lexical index over what is found by search.

    Args:
        folder: Its folder.
        shop: What was read.
        vectors: Unit vectors, one for each of the shop's evidence.
        statements: Of each the vectors of its statements, in half precision, one behind the other; where None, they
            are embedded when they are first read.
        progress: Called with the rows of the dense index, which takes the longest, that are written and to be written.
    """
    evidence = list(shop.evidence.values())
    numbers = [number for number, one in enumerate(evidence) if is_searched(one)]
    searched = [evidence[number] for number in numbers]
    with ThreadPoolExecutor(1) as beside:
        lexical = beside.submit(write_lexical_index, folder, searched)
        _write_knowledge(folder, shop, vectors, statements)
        write_dense_index(folder, searched, vectors[numbers], progress)
        lexical.result()
