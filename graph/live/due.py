"""Which live backends a retrieval has to ask, and what of the index they own."""

from collections.abc import Sequence

from graph.parts import Context
from graph.parts.backend import Backend
from graph.state import DueCall, TurnState
from graph.turn import User
from ingestion.evidence import Evidence
from ingestion.grouping import concerns


def due_calls(state: TurnState, intents: Sequence[str], products: Sequence[str], parts: Context) -> list[DueCall]:
    """The requests these intents need and that were not made in this turn yet, one for each backend and product."""
    user = User.model_validate(state["user"])
    made = {(call["name"], call["product_id"]) for call in state.get("live_calls", [])}
    return [
        DueCall(backend=backend.name, product_id=product_id)
        for backend in parts.backends
        if backend.intents & set(intents)
        for product_id in _askable(backend, products, user, parts)
        if (backend.name, product_id) not in made
    ]


def is_owned(item: Evidence, products: Sequence[str], user: User, parts: Context) -> bool:
    """Whether a backend that can be asked knows better than this evidence of the index.

    A backend asked about a product owns what is said of that product and its group, one asked about the whole shop
    everything of its kind. That it was not asked, or did not answer, makes the index no fresher.
    """
    return any(
        backend.source_type == item.source_type
        and any(_is_about(item, product_id, parts) for product_id in _askable(backend, products, user, parts))
        for backend in parts.backends
    )


def _askable(backend: Backend, products: Sequence[str], user: User, parts: Context) -> list[str | None]:
    """What a backend can be asked about: each of the products, or None for the whole shop."""
    catalog = parts.knowledge.products
    scopes = [(key, catalog[key]) for key in products if key in catalog] if backend.per_product else [(None, None)]
    return [product_id for product_id, product in scopes if backend.accepts(product, user)]


def _is_about(item: Evidence, product_id: str | None, parts: Context) -> bool:
    if product_id is None or item.product_id is not None:
        return product_id in (None, item.product_id)
    return concerns(item, parts.knowledge.products[product_id])
