"""Resolve the products a question is about."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graph.catalog.outside import OutsideFinding, ask_outside
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
    text = state["standalone_query"]
    asked = OutsideFinding(found, text)
    if parts.outside_catalog is not None and state["searchable"]:
        asked = ask_outside(found, text, parts.outside_catalog, parts.catalog, parts.knowledge.products)
    parsed = ParsedQuestion.of(asked.text, [match.name for match in asked.found.matches])
    update: dict[str, Any] = {"catalog": asked.found, "parsed": parsed}
    if asked.call is not None:
        update["live_calls"] = [asked.call]
        update["timings_ms"] = {BACKEND_TIME + asked.call.name: asked.call.ms}
    if asked.text != text:
        update["standalone_query"] = asked.text
        update["rewritten_by"] = "rules" if state["rewritten_by"] == "none" else state["rewritten_by"]
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
