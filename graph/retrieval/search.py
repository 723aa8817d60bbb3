"""Search: a product's own evidence exactly, the whole shop's by fused dense and lexical search."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from graph.language.terms import terms
from graph.parts import Context
from graph.retrieval.relevance import asked_terms, relevance
from ingestion.evidence import Evidence

FUSION_CONSTANT = 60
"""The k of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""
CANDIDATES = 50

Scored = list[tuple[Evidence, float]]


def product_hits(parts: Context, queries: Sequence[str], product_id: str, source_types: AbstractSet[str]) -> Scored:
    """All evidence of a product, scored exactly, best first."""
    return _scored(parts, queries, parts.knowledge.product_evidence(product_id, source_types), [product_id])


def related_hits(parts: Context, queries: Sequence[str], product_id: str, source_types: AbstractSet[str]) -> Scored:
    """The specification of an accessory or sibling that the question names beside the product ("with a footprint?")."""
    products = parts.knowledge.products
    product = products[product_id]
    asked = asked_terms(queries[0], [product.name])
    named = [key for key in product.related if key in products and asked & set(terms(products[key].name))]
    return [
        hit
        for key in named
        for hit in product_hits(parts, queries, key, source_types & {"spec"})
        if hit[0].product_id == key
    ]


def shop_hits(parts: Context, queries: Sequence[str], source_types: AbstractSet[str]) -> Scored:
    """The shop-wide evidence that dense and lexical search agree on, best first."""
    vector = parts.encoder.encode(queries)[:1]
    rankings = [
        [key for key, _ in parts.knowledge.dense(vector[0], source_types, CANDIDATES)],
        [key for key, _ in parts.knowledge.lexical(queries[0], source_types, CANDIDATES)],
    ]
    found = parts.knowledge.evidence(fuse(rankings)[:CANDIDATES])
    return _scored(parts, queries, found, [])


def fuse(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Join rankings by reciprocal rank."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking):
            scores[key] = scores.get(key, 0.0) + 1 / (FUSION_CONSTANT + rank + 1)
    return sorted(scores, key=lambda key: (-scores[key], key))


def _scored(parts: Context, queries: Sequence[str], evidence: Sequence[Evidence], product_ids: Sequence[str]) -> Scored:
    if not evidence:
        return []
    names = [parts.knowledge.products[key].name for key in product_ids]
    scores = relevance(
        parts.encoder.encode(queries),
        parts.knowledge.vectors([item.evidence_id for item in evidence]),
        asked_terms(queries[0], names),
        evidence,
    )
    ranked = sorted(zip(evidence, scores, strict=True), key=lambda pair: (-pair[1], pair[0].evidence_id))
    return [(item, round(float(score), 4)) for item, score in ranked]
