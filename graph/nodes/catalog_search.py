"""Resolve the products a question is about."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graph.catalog.outside import ask_outside
from graph.parts import Context
from graph.state import CatalogResult, TurnState
from graph.turn import BACKEND_TIME, ProductMatch
from graph.understanding.parsed_question import ParsedQuestion


def catalog_search(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Look the standalone question up, and read it; what the rewrite resolved by context comes first."""
    parts = runtime.context
    discourse, page = state["discourse"], state["user"].page
    on_page = [page.product_id] if page.product_id else page.products
    found = parts.catalog.find(state["standalone_query"], [*discourse.focus, *discourse.mentioned], on_page)
    found = _with_resolved(found, state["resolved"], on_page, parts)
    text, call = state["standalone_query"], None
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
