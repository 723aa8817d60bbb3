"""Rank what the parallel retrievals found and cut it to the budget."""

from typing import Any

from langgraph.runtime import Runtime

from graph.language.locale import reply
from graph.live import with_live_facts
from graph.parts import Context
from graph.retrieval.candidates import abroad, admissible, holds_for, narrowest, places_named
from graph.retrieval.search import SearchParts, merged, reduce_hits, shop_hits, wordings
from graph.state import TurnState, products_concerned, products_in_question, said_before
from graph.turn import Retrieved, User
from ingestion.evidence import Evidence
from ingestion.source_types import SOURCE_TYPES

READ = 12
"""Pieces of evidence that are read beside what the intents look for."""


def reduce(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Best first, near-duplicates removed, the narrowest regional rule alone, several perspectives kept.

    Behind them, with no score of their own, comes what is nearest to answering, of whatever kind: a misread intent
    then costs rank, not the answer.
    """
    parts = runtime.context
    found = with_live_facts(merged(state["hits"], parts.knowledge), state, parts)
    user = state["user"]
    found = narrowest(found, user, parts.knowledge.regions, state["standalone_query"])
    kept = reduce_hits(found, parts.options.evidence_limit)
    known = {item.evidence_id for item, _ in kept}
    kept += [(item, 0.0) for item in _nearest(state, parts, user) if item.evidence_id not in known]
    return {"retrieved": [Retrieved(evidence_id=item.evidence_id, score=score) for item, score in kept]}


def _nearest(state: TurnState, parts: Context, user: User) -> list[Evidence]:
    """What comes nearest to answering, of the products in question, else those talked of, and of the whole shop."""
    knowledge, question = parts.knowledge, state["standalone_query"]
    beyond = abroad(places_named(question, knowledge.regions), knowledge.regions)
    queries = list(dict.fromkeys([question, state["query"], *([reply("delivers_to")] if beyond else [])]))
    keys = products_in_question(state) or state["discourse"].focus
    products = [knowledge.products[key] for key in keys if key in knowledge.products]
    own = [item for product in products for item in knowledge.product_evidence(product.id, SOURCE_TYPES)]
    search = SearchParts(knowledge, parts.encoder, parts.finder)
    found = shop_hits(search, queries, SOURCE_TYPES, products=products)
    shop = [item for item, _ in found if holds_for(item, keys, products_concerned(state))]
    concerned = [knowledge.products[key] for key in products_concerned(state) or keys if key in knowledge.products]
    wanted = admissible(user, parts.clock.now(), knowledge.regions, question, concerned, parts.catalog.category)
    pool = [(item, 0.0) for item in {one.evidence_id: one for one in (*own, *shop)}.values() if wanted(item)]
    read = [item for item, _ in narrowest(with_live_facts(pool, state, parts), user, knowledge.regions, question)]
    nearest = parts.finder.nearest(wordings(queries, products), read, said_before(state))
    return list({one.evidence.evidence_id: one.evidence for one in nearest}.values())[:READ]
