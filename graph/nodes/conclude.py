"""Settle outcome, confidence and escalation, write the answer, and remember what the next turn needs."""

from collections.abc import Sequence
from typing import Any, cast

from langgraph.config import get_config
from langgraph.runtime import Runtime

from graph.concluding.confidence import confidence_of
from graph.concluding.escalation import (
    causes_of,
    degradation_of,
    escalation_of,
    gives_way,
    handed_over,
    review_of,
    with_hand_over,
)
from graph.discourse import remembered
from graph.draft import Draft
from graph.live import evidence_of, with_snapshots
from graph.llm.prompts import prompt_hash
from graph.parts import Context
from graph.rendering.spoken import writer_of
from graph.rendering.written import MarkerBook
from graph.rewriting.message import appended
from graph.routes import wider_intents
from graph.state import AnswerDelta, TurnState, products_in_question
from graph.turn import Citation, ProductMatch, Turn

FROM_STATE = frozenset(
    "turn_id query user style searchable live_agent continues intent retrieved timings_ms usage".split()
)
FROM_DRAFT = ("outcome", "answered_by", "considered", "suggestions", "clarification", "missing")
"""What a turn has as it stands in the state, and in the draft."""


def conclude(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Turn a verified draft into the turn that outsiders see, streaming its text."""
    parts = runtime.context
    draft = state["draft"]
    assert draft is not None, "each way here writes one"
    evidence = evidence_of(draft, state, parts.knowledge)
    confidence = confidence_of(draft, state, evidence, parts.options, parts.reader)
    causes = causes_of(state, draft, confidence, parts)
    escalation = escalation_of(state, draft, causes, parts)
    review = review_of(_with_issues(draft, state), causes, escalation)
    if gives_way(draft, confidence, escalation, state):
        draft = handed_over()
        confidence = confidence_of(draft, state, evidence, parts.options, parts.reader)
    draft = with_hand_over(draft, escalation)
    book = MarkerBook(evidence, parts.knowledge.generation)
    writer = writer_of(draft, confidence, book, state, parts)
    pieces = list(writer.pieces(draft.blocks))
    beside = state["beside"]
    turn = _turn(
        state,
        parts,
        **{name: getattr(draft, name) for name in FROM_DRAFT},
        answer="".join(pieces),
        sentences=writer.sentences,
        citations=with_snapshots(book.citations, state),
        **dict(beside) | {"followups": beside.followups or draft.followups},
        confidence=confidence,
        review=review,
        escalation=escalation,
    )
    discourse = remembered(state["discourse"], turn, draft, parts.knowledge.products)
    _show(pieces, state, runtime)
    return {"turn": turn, "discourse": discourse}


def _show(pieces: Sequence[str], state: TurnState, runtime: Runtime[Context]) -> None:
    """Give out what was not shown as a model wrote it; from here on the turn is settled."""
    before = 0
    for piece in pieces:
        if fresh := piece[max(len(state["streamed"]) - before, 0) :]:
            runtime.stream_writer(AnswerDelta(fresh, settled=True))
        before += len(piece)


def _with_issues(draft: Draft, state: TurnState) -> Draft:
    """The draft with what a person should look at of the sentences that nobody saw: no reason to call one to it now."""
    issues = [one.issue for one in state["dropped"] if one.issue]
    return draft.model_copy(update={"issues": list(dict.fromkeys([*draft.issues, *issues]))})


def _turn(state: TurnState, parts: Context, **concluded: Any) -> Turn:  # noqa: ANN401 - the turn's own fields
    """The turn from what the nodes left in the state and what was concluded."""
    named = list(state["catalog"].matches)
    at_hand = _at_hand(state, parts, concluded["citations"], named)
    standalone = _naming(state["standalone_query"], at_hand)
    return Turn(
        thread_id=str(get_config().get("configurable", {}).get("thread_id", "")),
        **{name: kept for name, kept in cast("dict[str, Any]", state).items() if name in FROM_STATE},
        standalone_query=standalone,
        rewritten_by=state["rewritten_by"] if standalone == state["standalone_query"] else "rules",
        products=named + at_hand,
        widened=wider_intents(state) if state["widened"] else [],
        degraded=degradation_of(state),
        backends=state.get("live_calls", []),
        generation=parts.knowledge.generation,
        prompt_hash=prompt_hash() if state["usage"].llm_calls else "",
        config_hash=parts.config_hash,
        variant=parts.variant,
        **concluded,
    )


def _at_hand(
    state: TurnState, parts: Context, citations: list[Citation], named: list[ProductMatch]
) -> list[ProductMatch]:
    """The product at hand that the question did not name, where something of its own was told."""
    told = {citation.product_id for citation in citations} - {match.id for match in named}
    page = state["user"].page.product_id
    return [
        ProductMatch(
            id=key, name=parts.knowledge.products[key].name, method="page" if key == page else "session", score=1.0
        )
        for key in products_in_question(state)
        if key in told
    ]


def _naming(question: str, products: list[ProductMatch]) -> str:
    """The question with the products that it was answered about."""
    names = [product.name for product in products if product.name.casefold() not in question.casefold()]
    return appended(question, f"for {' and '.join(names)}") if names else question
