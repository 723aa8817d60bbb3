"""Ask the shop's live backends what holds now, beside the retrievals from the index."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from graph.live import Scored, ask_all
from graph.parts import Backend, Context, LiveAnswer
from graph.retrieval.candidates import admissible
from graph.retrieval.search import relevance
from graph.state import LiveFact, LiveTask
from graph.turn import BACKEND_TIME, BackendCall
from ingestion.evidence import Evidence


def live(task: LiveTask, runtime: Runtime[Context]) -> dict[str, Any]:
    """All requests at once; what is known, what failed and how long each backend took."""
    parts = runtime.context
    backends = {backend.name: backend for backend in parts.backends}
    catalog = parts.knowledge.products
    requests = [(backends[name], catalog[key] if key else None) for name, key in task["calls"]]
    answers = ask_all(requests, task["user"])
    calls = [
        _call(backend, product.id if product else None, answer, ms)
        for (backend, product), (answer, ms) in zip(requests, answers, strict=True)
    ]
    facts = [fact for answer, _ in answers for fact in answer.facts]
    return {
        "live_calls": calls,
        "live_facts": {fact.evidence_id: LiveFact(fact, score) for fact, score in _relevant(facts, task, parts)},
        "timings_ms": {BACKEND_TIME + call.name: max(c.ms for c in calls if c.name == call.name) for call in calls},
    }


def _call(backend: Backend, product_id: str | None, answer: LiveAnswer, ms: float) -> BackendCall:
    return BackendCall(
        name=backend.name,
        source_type=backend.source_type,
        intents=sorted(backend.intents),
        product_id=product_id,
        ms=round(ms, 3),
        facts=len(answer.facts),
        dropped=list(answer.dropped),
        cached=answer.cached,
        failure=answer.failure,
    )


def _relevant(facts: Sequence[Evidence], task: LiveTask, parts: Context) -> list[Scored]:
    """The facts that hold for this user now and are about the products in question, each with its relevance."""
    concerned = [parts.knowledge.products[key] for key in task["concerned"]]
    wanted = admissible(task["user"], parts.clock.now(), parts.knowledge.regions, task["standalone_query"], concerned)
    about = {None, *(task["products"] or parts.knowledge.products)}
    kept = [fact for fact in facts if fact.product_id in about and wanted(fact)]
    if not kept:
        return []
    queries = list(dict.fromkeys([task["standalone_query"], task["query"]]))
    return list(zip(kept, relevance(queries, kept, parts.finder), strict=True))
