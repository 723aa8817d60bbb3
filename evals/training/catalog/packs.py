"""The public data that product matching learns from: named here, not copied into this project."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.training.packs import read_rows
from ingestion.evidence import Product

PACKS = ("catalog-amazon-google", "catalog-walmart-amazon")
LICENCE = "Apache-2.0"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A name from another shop, and the ids of the products it means; empty where none is in the catalog."""

    id: str
    query: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Pack:
    """A catalog and the names to look up in it."""

    name: str
    products: Mapping[str, Product]
    lookups: tuple[Lookup, ...]


def read_pack(bench: Path, name: str, split: str) -> Pack:
    """Read the catalog of a pack and the look-ups of a split.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    products = read_rows(bench / name / "products.jsonl", _product)
    lookups = read_rows(bench / name / "queries.jsonl", _lookup, split)
    return Pack(name, {product.id: product for product in products}, tuple(lookups))


def _lookup(row: dict[str, Any]) -> Lookup:
    return Lookup(row["id"], row["query"], frozenset(row["gold"]))


def _product(row: dict[str, Any]) -> Product:
    category = row.get("category")
    return Product(
        id=row["id"],
        name=row["name"],
        brand=row.get("brand"),
        category=(category,) if category else (),
        attributes=row.get("attributes", {}),
    )
