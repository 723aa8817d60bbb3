"""Live facts as evidence: kept in the turn's state, told instead of what the index says, resolved by their ids."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from graph.live.due import is_owned
from graph.parts import Context, KnowledgeBase
from graph.state import LiveFact, TurnState, products_in_question
from graph.turn import Citation, User
from ingestion.evidence import Evidence, Product

Scored = tuple[Evidence, float]

STOCK = "stock"
SNAPSHOT = "live-"
"""How the generation of a citation begins that points to a live fact."""


def as_state(facts: Sequence[Scored]) -> dict[str, LiveFact]:
    """Facts as the state holds them: plain, by evidence id."""
    return {
        item.evidence_id: LiveFact(evidence=asdict(item) | {"keywords": list(item.keywords)}, score=score)
        for item, score in facts
    }


def read_evidence(evidence_ids: Sequence[str], state: TurnState, knowledge: KnowledgeBase) -> list[Evidence]:
    """The evidence of these ids, in their order: live facts from the state, all other from the index.

    Raises:
        UnknownEvidenceError: One of the ids is in neither.
    """
    live = _live_evidence(state)
    indexed = dict.fromkeys(key for key in evidence_ids if key not in live)
    found = live | dict(zip(indexed, knowledge.evidence(list(indexed)), strict=True))
    return [found[key] for key in evidence_ids]


def with_live_facts(found: Sequence[Scored], state: TurnState, parts: Context) -> list[Scored]:
    """Put live facts in the place of what their backends own, best first."""
    if not parts.backends:
        return list(found)
    products = products_in_question(state)
    user = User.model_validate(state["user"])
    current = [pair for pair in found if not is_owned(pair[0], products, user, parts)]
    live = state.get("live_facts", {})
    current += [(item, live[key]["score"]) for key, item in _live_evidence(state).items()]
    return sorted(current, key=lambda pair: (-pair[1], pair[0].evidence_id))


def without_owned_marks(product: Product, state: TurnState, parts: Context) -> Product:
    """A product whose variants do not say what is in stock, where a backend owns that."""
    mark = Evidence(evidence_id="", source_type=STOCK, text="", title="", row_id="", product_id=product.id)
    if not is_owned(mark, [product.id], User.model_validate(state["user"]), parts):
        return product
    return replace(product, variants=tuple(replace(variant, in_stock=None) for variant in product.variants))


def with_snapshots(citations: Sequence[Citation], state: TurnState) -> list[Citation]:
    """Citations of live facts under the name of what was known at that moment: the index's generation lacks them."""
    live = state.get("live_facts", {})
    name = _snapshot(live)
    return [
        citation.model_copy(update={"generation": name}) if citation.evidence_id in live else citation
        for citation in citations
    ]


def _snapshot(live: Mapping[str, LiveFact]) -> str:
    """The same for the same facts, so that an id and this name always mean one text."""
    known = json.dumps({key: fact["evidence"] for key, fact in live.items()}, sort_keys=True)
    return f"{SNAPSHOT}{hashlib.sha256(known.encode()).hexdigest()[:12]}"


def _live_evidence(state: TurnState) -> dict[str, Evidence]:
    return {
        key: Evidence(**(fact["evidence"] | {"keywords": tuple(fact["evidence"]["keywords"])}))
        for key, fact in state.get("live_facts", {}).items()
    }
