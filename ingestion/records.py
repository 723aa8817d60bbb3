"""Products, evidence and glossary terms as plain data, for storing."""

import json
from dataclasses import asdict, fields
from operator import attrgetter
from typing import Any

from ingestion.evidence import Evidence, GlossaryTerm, Money, Product, Variant

EVIDENCE_COLUMNS = tuple(field.name for field in fields(Evidence))
_VALUES = attrgetter(*EVIDENCE_COLUMNS)
_KEYWORDS = EVIDENCE_COLUMNS.index("keywords")


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


def product_record(product: Product) -> str:
    """A product as JSON."""
    return json.dumps(asdict(product), ensure_ascii=False)


def read_product(record: str) -> Product:
    """Read what `product_record` wrote."""
    data = json.loads(record)
    variants = tuple(Variant(**{**variant, "price": _money(variant["price"])}) for variant in data["variants"])
    lists = {name: tuple(data[name]) for name in ("category", "aliases", "related")}
    return Product(**{**data, **lists, "price": _money(data["price"]), "variants": variants})


def glossary_record(terms: list[GlossaryTerm]) -> str:
    """Glossary terms as JSON."""
    return json.dumps([asdict(term) for term in terms], ensure_ascii=False)


def read_glossary(record: str) -> list[GlossaryTerm]:
    """Read what `glossary_record` wrote."""
    return [GlossaryTerm(**{**term, "intents": tuple(term["intents"])}) for term in json.loads(record)]


def _money(data: dict[str, Any] | None) -> Money | None:
    return None if data is None else Money(**data)
