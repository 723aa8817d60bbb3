"""Shops in memory: rows as a shop writes them, read as the knowledge base that a turn needs."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from graph.language.terms import terms
from graph.parts import Vectors
from ingestion.compose import fact_evidence, product_evidence, product_of, question_evidence, review_evidence
from ingestion.errors import UnknownEvidenceError
from ingestion.evidence import Evidence, GlossaryTerm, Product, concerns, is_searched
from ingestion.readers.rows import FactRow, ProductRow, QuestionRow, ReviewRow
from tests.graph.fakes import BagOfWords

Row = Mapping[str, Any]


class Shop:
    """A knowledge base in memory; dense search is exact and lexical search counts shared terms."""

    def __init__(
        self, products: Sequence[Product], evidence: Sequence[Evidence], regions: Mapping[str, Sequence[str]]
    ) -> None:
        self._products = {product.id: product for product in products}
        self._evidence = {item.evidence_id: item for item in evidence}
        self._regions = regions
        self._encoder = BagOfWords()

    @property
    def generation(self) -> str:
        return "g1"

    @property
    def products(self) -> Mapping[str, Product]:
        return self._products

    @property
    def glossary(self) -> Sequence[GlossaryTerm]:
        return ()

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        return self._regions

    @property
    def everything(self) -> list[Evidence]:
        return list(self._evidence.values())

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        for key in evidence_ids:
            if key not in self._evidence:
                raise UnknownEvidenceError(key, self.generation)
        return [self._evidence[key] for key in evidence_ids]

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        return self._encoder.encode([item.text for item in self.evidence(evidence_ids)])

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        rows = {
            item.row_id: [one.text for one in self.everything if one.row_id == item.row_id] for item in self.everything
        }
        return self._encoder.encode(["\n".join(rows[item.row_id]) for item in self.evidence(evidence_ids)])

    def statement_vectors(self, evidence: Sequence[Evidence]) -> Mapping[str, Vectors]:
        """None were embedded."""
        del evidence
        return {}

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        product = self._products[product_id]
        return [
            item
            for item in self._evidence.values()
            if item.source_type in source_types
            and (item.product_id == product_id or (item.product_id is None and concerns(item, product)))
        ]

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        found = self._searched(source_types)
        if not found:
            return []
        cosines = self.vectors([item.evidence_id for item in found]) @ np.asarray(vector).reshape(-1)
        return _best({item.evidence_id: float(one) for item, one in zip(found, cosines, strict=True)}, limit)

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        asked = set(terms(text))
        found = self._searched(source_types)
        return _best({i.evidence_id: float(len(asked & set(terms(f"{i.title} {i.text}")))) for i in found}, limit)

    def _searched(self, source_types: AbstractSet[str]) -> list[Evidence]:
        return [item for item in self._evidence.values() if item.source_type in source_types and is_searched(item)]


def _best(scores: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [pair for pair in ranked if pair[1] > 0][:limit]


def make_shop(
    products: Sequence[Row],
    *,
    facts: Sequence[Row] = (),
    reviews: Sequence[Row] = (),
    questions: Sequence[Row] = (),
    documents: Sequence[Evidence] = (),
    regions: Mapping[str, Sequence[str]] | None = None,
) -> Shop:
    """A shop of rows in the contract's format, read the way ingestion reads them."""
    rows = [ProductRow.model_validate(dict(row)) for row in products]
    catalog = {row.id: product_of(row) for row in rows}
    names = {key: product.name for key, product in catalog.items()}
    evidence = [item for row in rows for item in product_evidence(row, catalog[row.id])]
    evidence += [review_evidence(ReviewRow.model_validate(dict(row)), names) for row in reviews]
    evidence += [question_evidence(QuestionRow.model_validate(dict(row)), names) for row in questions]
    evidence += [fact_evidence(FactRow.model_validate(dict(row)), names) for row in facts]
    return Shop(list(catalog.values()), [*evidence, *documents], regions or {})


def document(key: str, text: str, *, kind: str = "help_article", **columns: Any) -> Evidence:  # noqa: ANN401 - any column
    """One chunk of a help article, or of a manual where a product is named."""
    kind = "manual" if "product_id" in columns else kind
    given = {"title": key.replace("-", " ").capitalize(), "row_id": key} | columns
    return Evidence(evidence_id=f"{kind}:{key}", source_type=kind, text=text, **given)


def reviews_of(product_id: str, *texts: str, ratings: Sequence[float] = ()) -> list[Row]:
    """Reviews of one product, `r1`, `r2` ... in order."""
    return [
        {"id": f"r{number}", "product_id": product_id, "text": text}
        | ({"rating": ratings[number - 1]} if ratings else {})
        for number, text in enumerate(texts, 1)
    ]


TARN_2: Row = {
    "id": "tarn-2",
    "name": "Tarn 2",
    "brand": "Fellwick",
    "category": ["Camping", "Tents"],
    "price": {"amount": 249, "currency": "USD"},
    "attributes": {
        "Weight": "1.9 kg",
        "Capacity": "2 people",
        "Hydrostatic head": "3,000 mm",
        "Freestanding": "Yes",
        "Repair kit": "No",
        "Poles": "Aluminium",
    },
    "features": ["Packed weight includes poles and pegs", "Two doors with a porch each"],
    "description": "A tent that one person can carry. The fly can be pitched alone. It glows at night.",
    "variants": [
        {"id": "moss", "attributes": {"Colour": "Moss"}, "price": "$249", "in_stock": True},
        {"id": "sand", "attributes": {"Colour": "Sand"}, "price": "$259", "in_stock": False},
    ],
    "related": ["tarn-2-footprint"],
}
TARN_3: Row = {
    "id": "tarn-3",
    "name": "Tarn 3",
    "brand": "Fellwick",
    "category": ["Camping", "Tents"],
    "price": {"amount": 329, "currency": "USD"},
    "attributes": {
        "Weight": "2.6 kg",
        "Capacity": "3 people",
        "Hydrostatic head": "3,000 mm",
        "Freestanding": "No",
        "Inner height": "110 cm",
    },
}
FOOTPRINT: Row = {
    "id": "tarn-2-footprint",
    "name": "Tarn 2 Footprint",
    "brand": "Fellwick",
    "category": ["Camping", "Tent accessories"],
    "price": {"amount": 29, "currency": "USD"},
    "attributes": {"Material": "Ripstop nylon"},
}
SOCKS: Row = {
    "id": "moor-socks",
    "name": "Moor Socks",
    "brand": "Wether",
    "category": ["Clothing", "Socks"],
    "price": {"amount": 18, "currency": "USD"},
    "attributes": {"Weight": "60 g", "Machine washable": "Yes", "Material": "Merino wool"},
}
PRODUCTS = (TARN_2, TARN_3, FOOTPRINT, SOCKS)
FACTS: tuple[Row, ...] = (
    {"id": "all", "source_type": "return_policy", "text": "Items can be returned within 30 days of delivery."},
    {"id": "tents", "source_type": "return_policy", "category": "Tents", "text": "Tents can be returned unused."},
    {"id": "us", "source_type": "delivery", "region": "US", "text": "Orders in the US arrive in 3 to 5 working days."},
    {"id": "eu", "source_type": "delivery", "region": "EU", "text": "Orders in the EU arrive in 5 to 8 working days."},
    {
        "id": "spring",
        "source_type": "offer",
        "product_id": "tarn-2",
        "text": "The Tarn 2 is $50 off.",
        "valid_from": "2026-03-01",
        "valid_until": "2026-03-31",
    },
    {"id": "cards", "source_type": "payment", "text": "We accept credit cards and bank transfer."},
    {"id": "tarn", "source_type": "warranty", "product_id": "tarn-2", "text": "Tarn 2: 5 year warranty."},
)
CANCEL = (
    document(
        "cancel-order",
        "To cancel an order:\n1. Open My orders.\n2. Choose Cancel within one hour.",
        audience="buyer",
    ),
    document(
        "cancel-order-seller",
        "To cancel an order of a buyer:\n1. Open Sales.\n2. Pick a reason.",
        title="Cancel order of a buyer",
        audience="seller",
    ),
)
REGIONS = {"US": ["United States", "9"], "EU": ["Germany", "France"]}


def camping_shop() -> Shop:
    """Two tents with near-identical names, an accessory, socks, policies, and an article for each audience."""
    return make_shop(
        PRODUCTS,
        facts=FACTS,
        reviews=reviews_of("tarn-2", "Light and easy to pitch.", "The pegs are flimsy.", ratings=(5, 2)),
        questions=[{"id": "q1", "product_id": "tarn-2", "question": "Does it fit two pads?", "answer": "Yes, snugly."}],
        documents=CANCEL,
        regions=REGIONS,
    )
