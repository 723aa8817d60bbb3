"""Live backends: which are due, asked all at once, and what they answer."""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, replace

from graph.draft import Draft
from graph.parts import Backend, Context, KnowledgeBase, LiveAnswer
from graph.state import TurnState, products_in_question
from graph.turn import Citation, User
from ingestion.evidence import Evidence, Product, concerns

logger = logging.getLogger(__name__)

UNEXPECTED = "it failed in an unexpected way"


def ask_all(requests: Sequence[tuple[Backend, Product | None]], user: User) -> list[tuple[LiveAnswer, float]]:
    """Ask each backend about its product, or about the whole shop, all at once, each in a thread of its own.

    Neither the look-up of a name nor a body that drips can be cut short, so a late thread is left to itself; it is a
    daemon, which keeps no process alive. A pool would make the next request wait for it.

    Returns:
        For each request, in order, the answer and the milliseconds it took; a backend that said nothing within its
        `timeout_s` has failed, and is no longer listened to.
    """
    began = time.monotonic()
    answered: dict[int, tuple[LiveAnswer, float]] = {}

    def spent() -> float:
        return (time.monotonic() - began) * 1000

    def ask(place: int, backend: Backend, product: Product | None) -> None:
        try:
            answer = backend.ask(product, user)
        except Exception as error:  # noqa: BLE001 - a part of the shop's own, which may raise anything
            # Its message may hold an address or a secret.
            logger.warning("%s raised %s", backend.name, type(error).__name__)
            answer = LiveAnswer(failure=UNEXPECTED)
        answered[place] = answer, spent()

    threads = [threading.Thread(target=ask, args=(place, *one), daemon=True) for place, one in enumerate(requests)]
    for thread in threads:
        thread.start()
    answers = []
    for place, (thread, (backend, _)) in enumerate(zip(threads, requests, strict=True)):
        thread.join(max(0.0, backend.timeout_s - spent() / 1000))
        late = LiveAnswer(failure=f"no answer within {backend.timeout_s:g} s")
        answers.append(answered.get(place, (late, spent())))
    return answers


def due_calls(
    state: TurnState, intents: Sequence[str], products: Sequence[str], parts: Context
) -> list[tuple[str, str | None]]:
    """The requests these intents need and that were not made in this turn yet: names of backends, ids of products."""
    made = {(call.name, call.product_id) for call in state.get("live_calls", [])}
    return [
        (backend.name, product_id)
        for backend in parts.backends
        if backend.intents & set(intents)
        for product_id in _askable(backend, products, state["user"], parts)
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


Scored = tuple[Evidence, float]

STOCK = "stock"
SNAPSHOT = "live-"
"""How the generation of a citation begins that points to a live fact."""


def read_evidence(evidence_ids: Sequence[str], state: TurnState, knowledge: KnowledgeBase) -> list[Evidence]:
    """The evidence of these ids, in their order: live facts from the state, all other from the index.

    Raises:
        UnknownEvidenceError: One of the ids is in neither.
    """
    live = {key: fact.evidence for key, fact in state.get("live_facts", {}).items()}
    indexed = dict.fromkeys(key for key in evidence_ids if key not in live)
    found = live | dict(zip(indexed, knowledge.evidence(list(indexed)), strict=True))
    return [found[key] for key in evidence_ids]


def evidence_of(draft: Draft, state: TurnState, knowledge: KnowledgeBase) -> dict[str, Evidence]:
    """What the responder was given, and what a draft cites, by id."""
    cited = {span.evidence_id for sentence in draft.sentences for span in sentence.spans}
    found = {item.evidence_id for item in state["retrieved"]}
    return {item.evidence_id: item for item in read_evidence(sorted(cited | found), state, knowledge)}


def with_live_facts(found: Sequence[Scored], state: TurnState, parts: Context) -> list[Scored]:
    """Put live facts in the place of what their backends own, best first."""
    if not parts.backends:
        return list(found)
    products = products_in_question(state)
    current = [pair for pair in found if not is_owned(pair[0], products, state["user"], parts)]
    current += [(fact.evidence, fact.score) for fact in state.get("live_facts", {}).values()]
    return sorted(current, key=lambda pair: (-pair[1], pair[0].evidence_id))


def without_owned_marks(product: Product, state: TurnState, parts: Context) -> Product:
    """A product whose variants do not say what is in stock, where a backend owns that."""
    mark = Evidence(evidence_id="", source_type=STOCK, text="", title="", row_id="", product_id=product.id)
    if not is_owned(mark, [product.id], state["user"], parts):
        return product
    return replace(product, variants=tuple(replace(variant, in_stock=None) for variant in product.variants))


def with_snapshots(citations: Sequence[Citation], state: TurnState) -> list[Citation]:
    """Citations of live facts under the name of what was known at that moment: the index's generation lacks them."""
    live = state.get("live_facts", {})
    # The same for the same facts, so that an id and this name always mean one text.
    known = json.dumps({key: asdict(fact.evidence) for key, fact in live.items()}, sort_keys=True)
    name = f"{SNAPSHOT}{hashlib.sha256(known.encode()).hexdigest()[:12]}"
    return [
        citation.model_copy(update={"generation": name}) if citation.evidence_id in live else citation
        for citation in citations
    ]
