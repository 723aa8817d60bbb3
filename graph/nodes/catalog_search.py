"""Resolve the products a question is about."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graph.browsing.ranking import with_superlative_named
from graph.browsing.request import request_of
from graph.parts import CatalogSearch, Context, OutsideCatalog, OutsideProduct
from graph.state import CatalogResult, TurnState
from graph.trained import EVEN
from graph.turn import BACKEND_TIME, BackendCall, ProductMatch
from graph.understanding.parsed_question import ParsedQuestion
from ingestion.evidence import Product

KIND = "catalog"
"""What such a search knows, in place of a kind of evidence."""


def ask_outside(
    found: CatalogResult, text: str, outside: OutsideCatalog, catalog: CatalogSearch, products: Mapping[str, Product]
) -> tuple[CatalogResult, str, BackendCall | None]:
    """Ask an outside search where the index has an idea of a name and no product for it.

    Only products of the index are taken. Where a name looks like one of ours and is not ("Aurora X9"), those that it
    looks like are not taken either.

    Args:
        found: What the index said.
        text: The question.
        outside: The search.
        catalog: Finds products of the index by their whole names.
        products: The products of the index.

    Returns:
        What is found now; the question, with the product's own name where another one was said for it; and the request,
        if one was made.
    """
    name = _asked(found, text)
    if name is None:
        return found, text, None
    start = time.perf_counter()
    answer = outside.search(name)
    call = BackendCall(
        name=outside.name,
        source_type=KIND,
        intents=[],
        ms=round((time.perf_counter() - start) * 1000, 3),
        facts=len(answer.products),
        cached=answer.cached,
        failure=answer.failure,
    )
    refused = {match.id for match in found.nearest} if found.unknown else set()
    known = (key for product in answer.products for key in _ids(product, catalog, products) if key not in refused)
    key = next(known, None)
    if key is None:
        return found, text, call
    match = ProductMatch(id=key, name=products[key].name, method="search", score=EVEN)  # it does not say how sure it is
    now = replace(found, matches=(match,), unknown=found.unknown[1:], nearest=())
    return now, text.replace(name, match.name), call


def _asked(found: CatalogResult, text: str) -> str | None:
    """The name to look up; None where the index is sure, or where no name was said."""
    if found.matches or found.tied:
        return None
    if found.unknown:
        return found.unknown[0]
    return text if found.nearest else None


def _ids(product: OutsideProduct, catalog: CatalogSearch, products: Mapping[str, Product]) -> list[str]:
    """The products of the index that are meant: by id, else the one of just that name."""
    if product.id in products:
        return [product.id]
    named = catalog.named(product.name) if product.name else []
    return named if len(named) == 1 else []


def catalog_search(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Look the standalone question up, and read it; what the rewrite resolved by context comes first."""
    parts = runtime.context
    discourse, page = state["discourse"], state["user"].page
    on_page = [page.product_id] if page.product_id else page.products
    found = parts.catalog.find(state["standalone_query"], [*discourse.focus, *discourse.mentioned], on_page)
    found = _with_resolved(found, state["resolved"], on_page, parts)
    text, call = state["standalone_query"], None
    request = request_of(TurnState(**(state | {"catalog": found})), parts.knowledge.products)
    if named := with_superlative_named(request, parts):
        text, product = named
        found = parts.catalog.find(text, [product.id], on_page)
    if parts.outside_catalog is not None and state["searchable"]:
        found, text, call = ask_outside(found, text, parts.outside_catalog, parts.catalog, parts.knowledge.products)
    parsed = ParsedQuestion.of(text, [match.name for match in found.matches])
    update: dict[str, Any] = {"catalog": found, "parsed": parsed, "standalone_query": text}
    if call is not None:
        update |= {"live_calls": [call], "timings_ms": {BACKEND_TIME + call.name: call.ms}}
    if text != state["standalone_query"] and state["rewritten_by"] == "none":
        update["rewritten_by"] = "rules"
    return update


def _with_resolved(found: CatalogResult, resolved: list[str], page: list[str], parts: Context) -> CatalogResult:
    named = {match.id for match in found.matches}
    products = parts.knowledge.products
    missing = [
        ProductMatch(id=key, name=products[key].name, method="page" if key in page else "session", score=1.0)
        for key in resolved
        if key not in named and key in products
    ]
    if not missing and not named.intersection(resolved):
        return found
    # What the context already decided is no longer a tie.
    return replace(found, matches=(*missing, *found.matches), tied=())
