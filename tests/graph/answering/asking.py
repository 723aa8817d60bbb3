"""Asking the local responder about a shop in memory, with all of its evidence at hand."""

from collections.abc import Sequence

from graph.draft import Draft
from graph.intents.entropy import SOURCES_BY_INTENT
from graph.parts import Question
from graph.retrieval.search import NearestStatements, relevance, wordings
from graph.state import CatalogResult
from graph.turn import User
from graph.understanding.parsed_question import ParsedClause, ParsedQuestion, analyse
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import BagOfWords, local_responder, match
from tests.graph.shops import Shop


def scored(
    shop: Shop, text: str, *about: str, intents: Sequence[str] = ("product_spec",)
) -> tuple[tuple[Evidence, float], ...]:
    """What a shop says of these products, their accessories and itself for some intents, as retrieval would rank it."""
    kinds = frozenset().union(*(SOURCES_BY_INTENT[intent] for intent in intents))
    related = [key for product_id in about for key in shop.products[product_id].related]
    found = [item for item in shop.everything if item.source_type in kinds and item.product_id in (None, *about)]
    found += [item for item in shop.everything if item.source_type == "spec" and item.product_id in related]
    products = [shop.products[key] for key in about]
    scores = relevance(wordings([text], products), found, NearestStatements(BagOfWords()))
    ranked = sorted(zip(found, scores, strict=True), key=lambda pair: (-pair[1], pair[0].evidence_id))
    return tuple((item, float(score)) for item, score in ranked)


def question(
    shop: Shop,
    text: str,
    *about: str,
    intents: Sequence[str] = ("product_spec",),
    user: User | None = None,
    catalog: CatalogResult | None = None,
    evidence: Sequence[tuple[Evidence, float]] | None = None,
) -> Question:
    """A question about products of a shop."""
    products = tuple(shop.products[key] for key in about)
    related = tuple(shop.products[key] for product in products for key in product.related if key in shop.products)
    return Question(
        query=text,
        standalone_query=text,
        parsed=ParsedQuestion.of(text, [product.name for product in products]),
        intents=tuple(intents),
        products=products,
        catalog=catalog or CatalogResult(matches=tuple(match(product) for product in products)),
        evidence=tuple(evidence) if evidence is not None else scored(shop, text, *about, intents=intents),
        user=user or User(),
        related=related,
        distribution=dict.fromkeys(intents, 1 / len(intents)) if intents else {},
    )


def draft_of(asked: Question) -> Draft:
    """The local responder's draft."""
    return local_responder().draft(asked)


def said(draft: Draft) -> str:
    """All that a draft says, in one line."""
    return " ".join(sentence.text for block in draft.blocks for sentence in block.sentences)


def facts_said(draft: Draft) -> str:
    """What a draft states as fact."""
    return " ".join(sentence.text for block in draft.blocks for sentence in block.sentences if sentence.factual)


def cited_in(draft: Draft) -> list[str]:
    """Ids of the evidence a draft cites, by first appearance."""
    spans = [span for block in draft.blocks for sentence in block.sentences for span in sentence.spans]
    return list(dict.fromkeys(span.evidence_id for span in spans))


def clause(text: str, *products: Product) -> ParsedClause:
    """A clause about products."""
    return analyse(text, tuple(product.name for product in products))
