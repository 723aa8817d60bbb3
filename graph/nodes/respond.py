"""Draft the answer and let only verified sentences through."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graph.answering.absence import with_unreached
from graph.answering.responder import without_evidence
from graph.browsing.cards import browse_draft, not_sold, products_asked
from graph.browsing.request import request_of
from graph.browsing.which_product import which_of_kind
from graph.budget import check_budget
from graph.concluding.confidence import confidence_of
from graph.draft import Block, Draft, Dropped, Sentence
from graph.intents import NON_DECISION
from graph.language.injection import without_instructions
from graph.live import evidence_of, read_evidence, with_snapshots, without_owned_marks
from graph.llm.turn_prompt import read_by_model
from graph.llm.writer import continued
from graph.parts import Context, Question, Verdict, Written
from graph.rendering.written import MarkerBook, WrittenAnswer
from graph.retrieval.candidates import places_named
from graph.sensitive.claims import with_own_sources
from graph.sensitive.gate import gated
from graph.state import AnswerDelta, CatalogResult, TurnState, products_in_question, said_before
from graph.turn import Retrieved
from graph.verification.admission import admit
from ingestion.evidence import Evidence, Product

LEAST_ODDS = 1 / 5
"""Of an answer against that the message asks for none, from which on what was taken for browsing is answered."""


def respond(state: TurnState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Answer from the reduced evidence; ask for one wider retrieval when a part found nothing."""
    parts = runtime.context
    question = _question(state, parts)
    local, lost = _local(question, state, parts)
    written, streamed = _written(question, local, state, runtime)
    told = {
        "usage": written.usage,
        "degraded": [*([f"answer: {written.failure}"] if written.failure else []), *written.lacking],
        # A second search asks for nothing more beside the answer.
        "beside": state["beside"] if state["widened"] else written.beside,
        "streamed": streamed,
    }
    dropped = [*state["dropped"], *written.dropped]
    draft = local
    if written.draft is not None and written.failure is None:
        draft, lost = _likelier(written.draft, (local, lost), question, state, parts)
    elif written.draft is not None and streamed:
        draft = continued(written.draft, local)
    if draft.answered_by == "local" and _is_weak(draft, question, state, parts):
        return {"widened": True, "draft": None, "dropped": dropped, **told}
    return {
        "draft": with_unreached(draft, question),
        "dropped": [*dropped, *lost],
        "retrieved": _with_cited(state, draft),
        **told,
    }


def _question(state: TurnState, parts: Context) -> Question:
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
        # A catalog search serves no intent: without it a name stays unknown, and nothing else is missing.
        unreached=tuple(call for call in state.get("live_calls", []) if call.failure is not None and call.intents),
        places=tuple(places_named(state["standalone_query"], parts.knowledge.regions)),
        regions=parts.knowledge.regions,
        before=said_before(state),
        distribution=state["intent"].distribution,
    )


def _related(evidence: list[Evidence], catalog: CatalogResult, parts: Context) -> tuple[Product, ...]:
    asked = {match.id for match in catalog.matches}
    found = dict.fromkeys(item.product_id for item in evidence if item.source_type == "spec")
    return tuple(parts.knowledge.products[key] for key in found if key and key not in asked) if asked else ()


def _written(question: Question, local: Draft, state: TurnState, runtime: Runtime[Context]) -> tuple[Written, str]:
    """What a model writes, if one is asked, and what of it is shown already.

    A model is asked once: what needs no evidence, shows or compares products, or was searched for a second time is
    answered here.
    """
    parts = runtime.context
    if parts.writer is None or state["widened"] or not question.evidence:
        return Written(None), ""
    sure = local.outcome == "clear" and not local.missing and local.considered["local"] >= parts.options.high_confidence
    if parts.writer.only_unsure and sure:
        return Written(None), ""
    request = request_of(state, parts.knowledge.products)
    if without_evidence(question) or len(question.products) > 1 or products_asked(request, parts):
        return Written(None), ""
    question = read_by_model(question, local, parts.finder)
    evidence, streamed = question.sources, ""

    def show(blocks: Sequence[Block]) -> None:
        """Give out what was added, unless the local answer may turn out likelier.

        A spoken answer waits as well: how a source is named depends on how sure the whole is.
        """
        nonlocal streamed
        if state["style"] == "voice" or _chooses(local, parts):
            return
        book = MarkerBook(evidence, parts.knowledge.generation)
        writer = WrittenAnswer(book, marked=state["style"] == "text")
        written = "".join(writer.pieces(blocks))
        fresh, streamed = written[len(streamed) :], written
        if fresh:
            check_budget()
            runtime.stream_writer(
                AnswerDelta(
                    fresh,
                    sentences=tuple(writer.sentences),
                    citations=tuple(with_snapshots(book.citations, state)),
                    sources=tuple(evidence[one.evidence_id] for one in book.citations),
                )
            )

    sources = with_own_sources(question, parts.knowledge)
    return parts.writer.write(question, sources, state.get("experiences", []), show), streamed


def _local(question: Question, state: TurnState, parts: Context) -> tuple[Draft, list[Dropped]]:
    """The answer without a model, and what nobody sees of it."""
    drafted, question = _drafted(question, state, parts)
    admitted, dropped = admit(drafted, question, parts.verifier)
    draft, withheld = _gated(admitted, question, parts)
    return draft if parts.writer is None else _scored(draft, state, parts), [*dropped, *withheld]


def _is_weak(draft: Draft, question: Question, state: TurnState, parts: Context) -> bool:
    """Whether a wider search should come first."""
    weak = draft.outcome == "no_answer" or draft.missing or draft.confidence < parts.options.widen_below
    # What waits for a word of the user is not found by looking further.
    waits = question.catalog.tied or draft.pending_kind in ("region", "slot")
    return bool(weak or not draft.facts) and not state["widened"] and not waits


def _chooses(local: Draft, parts: Context) -> bool:
    """Whether the likelier of a model's answer and the local one is shown; else the model's is, as it is written."""
    return parts.writer is not None and parts.writer.only_unsure and bool(local.facts)


def _likelier(
    written: Draft, local: tuple[Draft, list[Dropped]], question: Question, state: TurnState, parts: Context
) -> tuple[Draft, list[Dropped]]:
    """Which of a model's answer and the local one is shown, with what nobody sees of it."""
    shown, lost = _gated(written, question, parts)
    answers = _answers(shown.facts, local[0], question, parts)
    shown = _scored(shown.model_copy(update={"confidence": shown.confidence * answers}), state, parts)
    considered = local[0].considered | shown.considered
    if _chooses(local[0], parts) and considered["local"] > considered["llm"]:
        shown, lost = local
    return shown.model_copy(update={"considered": considered}), lost


def _answers(stated: Sequence[Sentence], local: Draft, question: Question, parts: Context) -> float:
    """How probable it is that what a model states answers the question, no less so than the local answer it tells."""
    probability = parts.responder.probability(stated, question)
    cited = [span for fact in stated for span in fact.spans]
    told = [any(one.overlaps(other) for one in fact.spans for other in cited) for fact in local.facts]
    return max(probability, local.confidence) if local.outcome == "clear" and told and all(told) else probability


def _scored(draft: Draft, state: TurnState, parts: Context) -> Draft:
    """The draft with the probability that it is right."""
    evidence = evidence_of(draft, state, parts.knowledge)
    confidence = confidence_of(draft, state, evidence, parts.options, parts.reader)
    return draft.model_copy(update={"considered": {draft.answered_by: confidence.score}})


def _gated(draft: Draft, question: Question, parts: Context) -> tuple[Draft, list[Dropped]]:
    own = with_own_sources(question, parts.knowledge)
    passed, withheld = gated(draft, own, parts.options.sensitive, parts.verifier)
    return passed, [Dropped(text=text, reasons=[Verdict.SENSITIVE]) for text in withheld]


def _drafted(question: Question, state: TurnState, parts: Context) -> tuple[Draft, Question]:
    """Products ranked or listed, else what the responder says, else a question back; and what else it rests on."""
    request = request_of(state, parts.knowledge.products)
    found = products_asked(request, parts)
    draft = found or parts.responder.draft(question)
    found = found or which_of_kind(draft, request, parts) or (not_sold(request) if draft.asks_openly else None)
    browsing = state["intent"].branch == NON_DECISION
    if browsing and not (request.named or _answers_after_all(draft, question, state, parts)):
        found = browse_draft(request, parts)
    if found is None:
        return draft, question
    known = question.sources
    added = [(item, 0.0) for item in parts.knowledge.evidence([key for key in found.sources if key not in known])]
    others = dict.fromkeys([*found.listed, *(product.id for product in question.related)])
    named = {product.id for product in question.products}
    related = tuple(parts.knowledge.products[key] for key in others if key not in named)
    return found, replace(question, evidence=(*question.evidence, *added), related=related)


def _answers_after_all(draft: Draft, question: Question, state: TurnState, parts: Context) -> bool:
    """Whether what may be shown of an answer is likely right, beside how likely the message asks for none."""
    shown, _ = admit(draft, question, parts.verifier)
    evidence = evidence_of(shown, state, parts.knowledge)
    score = confidence_of(shown, state, evidence, parts.options, parts.reader).score
    return shown.outcome == "clear" and score >= LEAST_ODDS * question.distribution.get(NON_DECISION, 0.0)


def _with_cited(state: TurnState, draft: Draft) -> list[Retrieved]:
    """What the responder was given, and behind it what the gate looked up and cites."""
    known = {item.evidence_id for item in state["retrieved"]}
    cited = (span.evidence_id for sentence in draft.sentences for span in sentence.spans)
    added = dict.fromkeys(key for key in cited if key not in known)
    return [*state["retrieved"], *(Retrieved(evidence_id=key, score=0.0) for key in added)]
