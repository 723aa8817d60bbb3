"""Resolve the products a question is about."""

from dataclasses import asdict, replace
from typing import Any

from langgraph.runtime import Runtime

from graph.discourse import Discourse
from graph.parts import CatalogResult, Context
from graph.state import TurnState
from graph.turn import ProductMatch, User


def catalog_search(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Look the standalone question up; what the rewrite resolved by context comes first."""
    parts = runtime.context
    discourse = Discourse.model_validate(state["discourse"])
    page = User.model_validate(state["user"]).page
    on_page = [page.product_id] if page.product_id else page.products
    found = parts.catalog.find(state["standalone_query"], [*discourse.focus, *discourse.mentioned], on_page)
    found = _with_resolved(found, state["resolved"], on_page, parts)
    plain = asdict(replace(found, matches=(), tied=(), nearest=()))
    return {
        "catalog": plain
        | {name: [match.model_dump() for match in getattr(found, name)] for name in ("matches", "tied", "nearest")}
    }


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
