"""Sentences beside one cited line, for the tests of single checks."""

from graph.verification.claim import Case
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import saying, whole

TARN = Product(id="tarn-2", name="Tarn 2", brand="Fell")


def case(claim: str, line: str, *, title: str = "Specifications", kind: str = "spec", product: Product = TARN) -> Case:
    """A sentence about a product that cites all of one evidence."""
    item = Evidence(f"{kind}:e", kind, line, title, "e", product_id=product.id)
    return Case(saying(claim, whole(item), product_id=product.id), {item.evidence_id: item}, product)
