"""The question as a responder gets it: put together from the state, its evidence read."""

from graph.language.injection import without_instructions
from graph.live import read_evidence, without_owned_marks
from graph.parts import Context, Question
from graph.retrieval.candidates import places_named
from graph.state import CatalogResult, TurnState, products_in_question, said_before
from graph.turn import BackendCall
from ingestion.evidence import Evidence, Product


def question_of(state: TurnState, parts: Context) -> Question:
    """What is answered in a turn, from what its nodes found."""
    catalog = state["catalog"]
    scores = {item.evidence_id: item.score for item in state["retrieved"]}
    evidence = without_instructions(read_evidence(list(scores), state, parts.knowledge))
    products = parts.knowledge.products
    return Question(
        query=state["query"],
        standalone_query=state["standalone_query"],
        parsed=state["parsed"],
        intents=tuple(state["intent"].selected),
        products=tuple(without_owned_marks(products[match.id], state, parts) for match in catalog.matches),
        catalog=catalog,
        evidence=tuple((item, scores[item.evidence_id]) for item in evidence),
        user=state["user"],
        context=tuple(without_owned_marks(products[key], state, parts) for key in products_in_question(state)),
        sells_products=bool(products),
        related=_related(evidence, catalog, parts),
        unreached=_unreached(state),
        places=tuple(places_named(state["standalone_query"], parts.knowledge.regions)),
        regions=parts.knowledge.regions,
        before=said_before(state),
        distribution=state["intent"].distribution,
    )


def _related(evidence: list[Evidence], catalog: CatalogResult, parts: Context) -> tuple[Product, ...]:
    asked = {match.id for match in catalog.matches}
    found = dict.fromkeys(item.product_id for item in evidence if item.source_type == "spec")
    return tuple(parts.knowledge.products[key] for key in found if key and key not in asked) if asked else ()


def _unreached(state: TurnState) -> tuple[BackendCall, ...]:
    calls = state.get("live_calls", [])
    # A catalog search serves no intent: without it a name stays unknown, and nothing else is missing.
    return tuple(call for call in calls if call.failure is not None and call.intents)
