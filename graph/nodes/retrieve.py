"""Fetch the evidence one intent needs about one product, or from the whole shop."""

from typing import Any

from langgraph.runtime import Runtime

from graph.intents import first_kinds
from graph.parts import Context
from graph.retrieval.candidates import admissible, holds_for
from graph.retrieval.search import SearchParts, product_hits, related_hits, shop_hits
from graph.state import Hit, RetrieveTask
from ingestion.evidence import Evidence
from ingestion.source_types import POLICIES

GENERAL = 2
"""General rules that are read beside what was found, where no product is in question."""
PARTS = ("product_id", "category", "brand", "region", "membership")


def retrieve(task: RetrieveTask, runtime: Runtime[Context]) -> dict[str, Any]:
    """One branch of the fan-out."""
    parts = runtime.context
    knowledge = parts.knowledge
    types = parts.options.sources_by_intent.get(task["intent"], frozenset())
    search = SearchParts(knowledge, parts.encoder, parts.finder)
    queries = list(dict.fromkeys([task["standalone_query"], task["query"]]))
    product_id = task["product_id"]
    products = [knowledge.products[key] for key in task["products"]]
    if product_id is None:
        found = shop_hits(search, queries, types, task["recalled"], products)
        scored = [hit for hit in found if holds_for(hit[0], task["products"], task["concerned"])]
        scored = [*([] if task["products"] else _general(search, queries, task["intent"])), *scored]
    else:
        scored = product_hits(search, queries, product_id, types) + related_hits(search, queries, product_id, types)
    question = task["standalone_query"]
    concerned = [knowledge.products[key] for key in task["concerned"]]
    wanted = admissible(task["user"], parts.clock.now(), knowledge.regions, question, concerned, parts.catalog.category)
    kept = [hit for hit in scored if wanted(hit[0])]
    return {
        "hits": [
            Hit(evidence_id=evidence.evidence_id, score=score, intent=task["intent"], product_id=evidence.product_id)
            for evidence, score in kept[: parts.options.fetch_limit]
        ]
    }


def _general(search: SearchParts, queries: list[str], intent: str) -> list[tuple[Evidence, float]]:
    """The rules of an intent's own kind for the whole shop, however many rules for a part of it come closer."""
    own = frozenset(first_kinds(intent)[:1]) & POLICIES
    found = shop_hits(search, queries, own) if own else []
    return [hit for hit in found if not any(getattr(hit[0], part) for part in PARTS)][:GENERAL]
