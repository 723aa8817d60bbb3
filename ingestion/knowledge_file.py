"""Writing a generation's `knowledge.sqlite`: evidence, products, words, embeddings and the full-text index."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingestion.evidence import Evidence
from ingestion.records import EVIDENCE_COLUMNS, evidence_record, glossary_record, product_record
from ingestion.scope import is_searched

if TYPE_CHECKING:
    from ingestion.shop import Shop

KNOWLEDGE_NAME = "knowledge.sqlite"

_SCHEMA = f"""
CREATE TABLE evidence (number INTEGER PRIMARY KEY, {", ".join(EVIDENCE_COLUMNS)});
CREATE UNIQUE INDEX evidence_by_id ON evidence (evidence_id);
CREATE INDEX evidence_by_product ON evidence (product_id);
CREATE TABLE embedding (number INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE product (number INTEGER PRIMARY KEY, product_id TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
CREATE TABLE extra (evidence_id TEXT PRIMARY KEY, columns TEXT NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE VIRTUAL TABLE search USING fts5 (
  title, section, keywords, text, content='', tokenize="porter unicode61 remove_diacritics 2"
);
"""


def write_knowledge(folder: Path, shop: "Shop", vectors: NDArray[np.float32]) -> None:
    """Write `knowledge.sqlite`.

    Args:
        folder: The generation's folder.
        shop: What was read.
        vectors: Embeddings of `shop.evidence`, in its order.
    """
    evidence = list(shop.evidence.values())
    with closing(sqlite3.connect(folder / KNOWLEDGE_NAME)) as database, database:
        database.execute("PRAGMA synchronous = OFF")  # it is synced as a whole before it is published
        database.executescript(_SCHEMA)
        _write_evidence(database, evidence, vectors)
        database.executemany(
            "INSERT INTO product VALUES (?, ?, ?)",
            ((number, product.id, product_record(product)) for number, product in enumerate(shop.products.values())),
        )
        database.executemany(
            "INSERT INTO extra VALUES (?, ?)",
            (
                (evidence_id, json.dumps(columns, ensure_ascii=False, default=str))
                for evidence_id, columns in shop.extras.items()
            ),
        )
        database.executemany(
            "INSERT INTO meta VALUES (?, ?)",
            [("glossary", glossary_record(shop.glossary)), ("regions", json.dumps(shop.regions, ensure_ascii=False))],
        )


def _write_evidence(database: sqlite3.Connection, evidence: Sequence[Evidence], vectors: NDArray[np.float32]) -> None:
    places = ", ".join("?" * (len(EVIDENCE_COLUMNS) + 1))
    database.executemany(
        f"INSERT INTO evidence VALUES ({places})",  # noqa: S608 - placeholders alone
        ((number, *evidence_record(one)) for number, one in enumerate(evidence)),
    )
    database.executemany(
        "INSERT INTO embedding VALUES (?, ?)",
        ((number, vector.astype("<f4").tobytes()) for number, vector in enumerate(vectors)),
    )
    database.executemany(
        "INSERT INTO search (rowid, title, section, keywords, text) VALUES (?, ?, ?, ?, ?)",
        (
            (number, one.title, one.section or "", " ".join(one.keywords), one.text)
            for number, one in enumerate(evidence)
            if is_searched(one)
        ),
    )
