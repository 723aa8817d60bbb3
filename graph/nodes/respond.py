"""Draft the answer and let only verified sentences through."""

from typing import Any

from langgraph.runtime import Runtime

from graph.draft import Draft
from graph.language.injection import without_instructions
from graph.live.facts import read_evidence, without_owned_marks
from graph.live.unreached import with_unreached
from graph.parts import CatalogResult, Context, Dropped, Question
from graph.retrieval.filters import places_named
from graph.routes import products_in_question
from graph.sensitive.gate import gated
from graph.sensitive.sources import with_own_sources
from graph.state import TurnState
from graph.turn import BackendCall, ProductMatch, User
from graph.verification.admission import admit
from ingestion.evidence import Evidence, Product


def respond(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Answer from the reduced evidence; ask for one wider retrieval when a part found nothing."""
    parts = runtime.context
    question = _question(state, parts)
    draft, dropped = admit(parts.responder.draft(question), question, parts.verifier)
    own = with_own_sources(question, parts.knowledge)
    draft, withheld = gated(draft, own, parts.options.sensitive, parts.verifier)
    stated = any(sentence.factual for block in draft.blocks for sentence in block.sentences)
    weak = draft.outcome == "no_answer" or draft.missing or draft.confidence < parts.options.widen_below or not stated
    # What waits for a word of the user is not found by looking further.
    waits = question.catalog.tied or draft.pending_kind in ("region", "slot")
    if weak and not state["widened"] and not waits:
        return {"widened": True, "draft": None}
    return {
        "draft": with_unreached(draft, question).model_dump(),
        "dropped": [one.model_dump() for one in (*dropped, *(_sensitive(text) for text in withheld))],
        "retrieved": _with_cited(state, draft),
    }


def _sensitive(text: str) -> Dropped:
    """A sentence that waits for a person, whatever its own source says."""
    return Dropped(text=text, reasons=["sensitive"])


def _with_cited(state: TurnState, draft: Draft) -> list[dict[str, Any]]:
    """What the responder was given, and behind it what the gate looked up and cites."""
    known = {item["evidence_id"] for item in state["retrieved"]}
    spans = [span for block in draft.blocks for sentence in block.sentences for span in sentence.spans]
    added = dict.fromkeys(span.evidence_id for span in spans if span.evidence_id not in known)
    return [*state["retrieved"], *({"evidence_id": key, "score": 0.0} for key in added)]


def _related(evidence: list[Evidence], catalog: CatalogResult, parts: Context) -> tuple[Product, ...]:
    asked = {match.id for match in catalog.matches}
    found = dict.fromkeys(item.product_id for item in evidence if item.source_type == "spec")
    return tuple(parts.knowledge.products[key] for key in found if key and key not in asked) if asked else ()


def _unreached(state: TurnState) -> tuple[BackendCall, ...]:
    calls = map(BackendCall.model_validate, state.get("live_calls", []))
    # A catalog search serves no intent: without it a name stays unknown, and nothing else is missing.
    return tuple(call for call in calls if call.failure is not None and call.intents)


def _question(state: TurnState, parts: Context) -> Question:
    plain = state["catalog"]
    catalog = CatalogResult(
        unknown=tuple(plain["unknown"]),
        category=tuple(plain["category"]),
        **{name: tuple(map(ProductMatch.model_validate, plain[name])) for name in ("matches", "tied", "nearest")},
    )
    scores = {item["evidence_id"]: item["score"] for item in state["retrieved"]}
    evidence = without_instructions(read_evidence(list(scores), state, parts.knowledge))
    products = parts.knowledge.products
    return Question(
        query=state["query"],
        standalone_query=state["standalone_query"],
        intents=tuple(state["intent"]["selected"]),
        products=tuple(without_owned_marks(products[match.id], state, parts) for match in catalog.matches),
        catalog=catalog,
        evidence=tuple((item, scores[item.evidence_id]) for item in evidence),
        user=User.model_validate(state["user"]),
        context=tuple(without_owned_marks(products[key], state, parts) for key in products_in_question(state)),
        sells_products=bool(products),
        related=_related(evidence, catalog, parts),
        unreached=_unreached(state),
        places=tuple(places_named(state["standalone_query"], parts.knowledge.regions)),
        regions=parts.knowledge.regions,
    )
