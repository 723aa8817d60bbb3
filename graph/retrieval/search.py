"""Search: a product's own evidence exactly, the whole shop's by fused dense and lexical search."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graph.language.terms import terms
from graph.parts import CatalogSearch, Encoder, KnowledgeBase, Rewrite, StatementFinder
from graph.retrieval.candidates import CANDIDATES, find_candidates
from graph.retrieval.fusion import convex_combination
from graph.retrieval.history import Memory, WeightedText, exchanges_of
from graph.retrieval.history.passages import ShopPassages
from graph.retrieval.refined import weighed
from graph.retrieval.relevance import asked_terms, relevance, wordings
from ingestion.evidence import Evidence
from ingestion.source_types import SOURCE_TYPES

Scored = list[tuple[Evidence, float]]


@dataclass(frozen=True, slots=True)
class SearchParts:
    """What search is made from.

    Attributes:
        knowledge: What is searched.
        encoder: Embeds questions.
        finder: Finds the statements that may answer.
        catalog: Finds the products a question names, where there is a catalog.
    """

    knowledge: KnowledgeBase
    encoder: Encoder
    finder: StatementFinder
    catalog: CatalogSearch | None = None


def document_hits(
    parts: SearchParts,
    query: str,
    history: Sequence[Mapping[str, str]] = (),
    reading: Rewrite | None = None,
) -> Scored:
    """Everything a question finds in the shop, whatever its intent, best first.

    Args:
        parts: What is searched, and with what.
        query: The question.
        history: What was said before, as `{role, content}`.
        reading: How the question was rewritten and refined, where it was; that is searched as well.
    """
    queries = list(dict.fromkeys([reading.standalone_query, query])) if reading else [query]
    refined = weighed(reading.refined) if reading else []
    exchanges = exchanges_of(history)
    memory = Memory(parts.encoder, ShopPassages(parts.knowledge))
    recalled = memory.recall(memory.continues(query, exchanges), exchanges) if exchanges else []
    found = shop_hits(parts, queries, SOURCE_TYPES, [*recalled, *refined])
    for product_id in _named(parts, queries[0], recalled):
        found += product_hits(parts, queries, product_id, SOURCE_TYPES)
    best: dict[str, tuple[Evidence, float]] = {}
    for hit in sorted(found, key=lambda pair: (-pair[1], pair[0].evidence_id)):
        best.setdefault(hit[0].evidence_id, hit)
    return list(best.values())


def _named(parts: SearchParts, query: str, recalled: Sequence[WeightedText]) -> list[str]:
    """The products that the question names; where it names none, those named latest before it."""
    if parts.catalog is None:
        return []
    for text in (query, *(one.text for one in recalled)):
        matches = parts.catalog.find(text, (), ()).matches
        if matches:
            return [match.id for match in matches]
    return []


def product_hits(
    parts: SearchParts, queries: Sequence[str], product_id: str, source_types: AbstractSet[str], before: str = ""
) -> Scored:
    """All evidence of a product, scored exactly, best first."""
    evidence = parts.knowledge.product_evidence(product_id, source_types)
    if not evidence:
        return []
    name = parts.knowledge.products[product_id].name
    # All of it is about the product: its name would only make what repeats the name look relevant.
    return _ranked(evidence, relevance(wordings(queries, [name]), evidence, parts.finder, before))


def related_hits(parts: SearchParts, queries: Sequence[str], product_id: str, source_types: AbstractSet[str]) -> Scored:
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


def shop_hits(
    parts: SearchParts,
    queries: Sequence[str],
    source_types: AbstractSet[str],
    recalled: Sequence[WeightedText] = (),
    names: Sequence[str] = (),
    before: str = "",
) -> Scored:
    """The shop-wide evidence that dense and lexical search find, best first.

    Args:
        parts: What is searched, and with what.
        queries: Wordings of one question; each is searched.
        source_types: Kinds of evidence that are wanted.
        recalled: What was said before that counts; it is searched beside each wording.
        names: Of the products in question.
        before: What the customer said in the turn before.
    """
    found = find_candidates(parts.knowledge, parts.encoder, queries, source_types, recalled)
    if not found.evidence_ids:
        return []
    scores = convex_combination(found.chunk_cosines, found.lexical_shares, found.document_cosines)
    evidence = parts.knowledge.evidence(found.evidence_ids)
    # Lexical scores compare within one search only; the best one's own relevance makes them comparable with others'.
    best = int(scores.argmax())
    [absolute] = relevance(wordings(queries, names), [evidence[best]], parts.finder, before)
    scale = absolute / scores[best] if scores[best] else 0.0
    return _ranked(evidence, (scores * scale).tolist())[:CANDIDATES]


def _ranked(evidence: Sequence[Evidence], scores: Sequence[float]) -> Scored:
    ranked = sorted(zip(evidence, scores, strict=True), key=lambda pair: (-pair[1], pair[0].evidence_id))
    return [(item, round(score, 4)) for item, score in ranked]
