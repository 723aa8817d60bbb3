"""Turns over the evidence of one row: the graph and the parts that ship, and no other shop behind them."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.clock import SystemClock
from app.settings import Settings
from evals.rows.row import Message
from evals.rows.row_knowledge import RowEvidence, RowKnowledge, RowProduct, evidence_of
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn
from graph.options import GraphOptions
from graph.parts import Context, Dropped, Models, Verifier
from graph.retrieval.history import exchanges_of
from graph.state import TurnInput
from graph.turn import Escalation, Page, Turn, User
from ingestion.evidence import Evidence
from ingestion.source_types import SOURCE_TYPES

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from graph.retrieval.caching import CachingEncoder


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """What is asked of a row's evidence.

    Attributes:
        text: The question.
        evidence: All that the shop says.
        product: The product whose page is open.
        history: What was said before, oldest first.
    """

    text: str
    evidence: Sequence[RowEvidence]
    product: RowProduct | None = None
    history: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of it.

    Attributes:
        turn: The turn, as its user sees it.
        missing: Parts of the question that the turn says nothing answers.
    """

    turn: Turn
    missing: tuple[str, ...] = ()


Ask = Callable[[RowQuestion], Reply]
MakeContext = Callable[[RowKnowledge], Context]


def shipped_verifier() -> Verifier:
    """The verifier that turns are wired with."""
    from graph.reader import shared_reader  # noqa: PLC0415 - heavy, with all below
    from graph.support import SupportModel  # noqa: PLC0415
    from graph.verification import SentenceVerifier  # noqa: PLC0415

    return SentenceVerifier(SupportModel(shared_reader()))


def load_turns() -> Ask:
    """Turns by the graph and the parts that ship; what they need is loaded once.

    Raises:
        SettingsError: The settings cannot be used.
    """
    from langgraph.checkpoint.memory import InMemorySaver  # noqa: PLC0415 - heavy, with all below

    from graph.build import build_graph  # noqa: PLC0415
    from graph.retrieval.caching import CachingEncoder  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    encoder = CachingEncoder(shared_encoder())
    make_context = _shipped_parts(encoder, Settings.load())
    saver = InMemorySaver()
    graph = build_graph(saver)

    def ask(question: RowQuestion) -> Reply:
        knowledge = RowKnowledge(encoder, evidence_of(question.evidence, question.product), question.product)
        thread = uuid.uuid4().hex
        config: RunnableConfig = {"configurable": {"thread_id": thread}}
        if question.history:
            discourse = _discourse(question.history, question.product)
            graph.update_state(config, {"discourse": discourse.model_dump()}, as_node="record")
        page = Page(product_id=question.product.id) if question.product else Page()
        given = TurnInput(query=question.text, user=User(page=page).model_dump(), turn_id=thread)
        state = graph.invoke(given, config, context=make_context(knowledge))
        saver.delete_thread(thread)
        return Reply(Turn.model_validate(state["turn"]), tuple(state["draft"]["missing"]))

    return ask


def _shipped_parts(encoder: "CachingEncoder", settings: Settings) -> MakeContext:
    """The parts that `app.wiring` chooses, over the evidence of a row."""
    from graph.answering.responder import LocalResponder  # noqa: PLC0415 - heavy, with all below
    from graph.catalog import LocalCatalog  # noqa: PLC0415
    from graph.intents.model import LocalIntentModel  # noqa: PLC0415
    from graph.reader import CachingReader, shared_reader  # noqa: PLC0415
    from graph.retrieval.caching import CachingEncoder  # noqa: PLC0415
    from graph.retrieval.statements import NearestStatements  # noqa: PLC0415
    from graph.rewriting import RuleRewriter, SpelledRewriter  # noqa: PLC0415
    from graph.rewriting.flags import FlagReader  # noqa: PLC0415
    from ingestion.statement_encoder import shared_statement_encoder  # noqa: PLC0415

    flags, intents = FlagReader(encoder), LocalIntentModel(encoder)
    finder = NearestStatements(CachingEncoder(shared_statement_encoder()))
    responder = LocalResponder(Models(encoder, finder, CachingReader(shared_reader())), flags)
    verifier, nobody, clock = shipped_verifier(), _Nobody(), SystemClock()

    def make_context(knowledge: RowKnowledge) -> Context:
        catalog = LocalCatalog(knowledge.products)
        return Context(
            knowledge=knowledge,
            encoder=encoder,
            finder=finder,
            rewriter=SpelledRewriter(RuleRewriter(catalog, flags), catalog, knowledge),
            catalog=catalog,
            intents=intents,
            responder=responder,
            verifier=verifier,
            desk=nobody,
            recorder=nobody,
            clock=clock,
            options=reading_everything(settings.graph),
            config_hash=settings.config_hash,
        )

    return make_context


def reading_everything(options: GraphOptions) -> GraphOptions:
    """Options by which every intent reads the whole of a row's evidence: it was retrieved already."""
    return options.model_copy(update={"sources_by_intent": dict.fromkeys(options.sources_by_intent, SOURCE_TYPES)})


def _discourse(history: Sequence[Message], product: RowProduct | None) -> Discourse:
    """What a thread remembers of turns that are only written down."""
    told = [product.id] if product else []
    turns = [
        PastTurn(
            query=said.question,
            standalone_query=said.question,
            answer=" ".join(said.answers),
            products=told,
            outcome="clear",
        )
        for said in exchanges_of([message.model_dump() for message in history])
    ]
    return Discourse(turns=turns[-REMEMBERED_TURNS:], focus=told, mentioned=told)


class _Nobody:
    """A desk and an audit that keep nothing."""

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        return Escalation(reason=reason, ticket_id="none", to=team or "nobody", summary=summary)

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        del turn, sources, dropped
