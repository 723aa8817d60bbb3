"""What a thread remembers of a turn."""

from collections.abc import Mapping

from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn, Pending
from graph.draft import Draft
from graph.turn import Turn
from ingestion.evidence import Product


def remembered(before: Discourse, turn: Turn, draft: Draft, catalog: Mapping[str, Product]) -> Discourse:
    """The discourse after a turn.

    A turn that asked for no product was about the one that its answer names and cites.
    """
    cited = [catalog[key] for key in {citation.product_id or "" for citation in turn.citations} if key in catalog]
    told = [product.id for product in cited if product.name.casefold() in turn.answer.casefold()]
    products = [match.id for match in turn.products] or (told if len(told) == 1 else [])
    shown = draft.listed or [offered.product_id for offered in draft.suggestions]
    past = PastTurn(
        query=turn.query,
        standalone_query=turn.standalone_query,
        answer=turn.answer,
        products=products,
        intents=turn.intent.selected,
        outcome=turn.outcome,
        attributes=draft.attributes,
        continues=turn.continues,
    )
    pending = None
    if draft.pending_kind and draft.clarification:
        asked = draft.clarification.question
        pending = Pending(
            kind=draft.pending_kind, question=asked, standalone_query=turn.standalone_query, options=draft.options
        )
    mentioned = list(dict.fromkeys([*products, *shown, *before.mentioned]))
    return Discourse(
        turns=[*before.turns, past][-REMEMBERED_TURNS:],
        focus=draft.focus or products or (shown if len(shown) == 1 else before.focus),
        listed=shown or before.listed,
        mentioned=mentioned,
        category=before.category,
        pending=pending,
        role=before.role,
        region=before.region,
    )
