"""What a thread remembers between turns: typed, plain, and small enough for a checkpoint."""

from collections.abc import Mapping

from pydantic import Field

from graph.draft import Draft, PendingKind
from graph.language.locale import reply
from graph.turn import Outcome, Role, Shape, Turn
from ingestion.evidence import Product

REMEMBERED_TURNS = 12


class PastTurn(Shape):
    """One earlier turn, as later turns need it."""

    query: str
    standalone_query: str
    answer: str
    products: list[str] = Field(default_factory=list)
    intents: list[str] = Field(default_factory=list)
    outcome: Outcome
    attributes: list[str] = Field(default_factory=list)
    continues: float | None = None
    """How far it went on from the turn before it, 0 to 1; None where that was not looked at."""


class Pending(Shape):
    """A clarifying question, or the offer of a person, that waits for its reply."""

    kind: PendingKind
    question: str
    standalone_query: str
    options: dict[str, str]
    """Label of an option to what it means: a product id, a role, a place, or a slot's value."""


class Discourse(Shape):
    """The state of a conversation.

    Attributes:
        turns: The latest turns, oldest first, at most `REMEMBERED_TURNS`.
        focus: Ids of the products the last product turn was about.
        listed: Ids of the products last shown as a list, in order ("the second one").
        mentioned: Ids of every product of the thread, latest first.
        category: The category last browsed or asked about.
        pending: The open clarifying question.
        role: The role the user stated in this thread.
        region: The place the user gave when asked for it.
    """

    turns: list[PastTurn] = Field(default_factory=list)
    focus: list[str] = Field(default_factory=list)
    listed: list[str] = Field(default_factory=list)
    mentioned: list[str] = Field(default_factory=list)
    category: str | None = None
    pending: Pending | None = None
    role: Role | None = None
    region: str | None = None


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
    pending = _offered(turn, draft)
    if draft.pending_kind and draft.clarification:
        asked = draft.clarification.question
        pending = Pending(
            kind=draft.pending_kind, question=asked, standalone_query=turn.standalone_query, options=draft.options
        )
    return before.model_copy(
        update={
            "turns": [*before.turns, past][-REMEMBERED_TURNS:],
            "focus": draft.focus or products or (shown if len(shown) == 1 else before.focus),
            "listed": shown or before.listed,
            "mentioned": list(dict.fromkeys([*products, *shown, *before.mentioned])),
            "pending": pending,
        }
    )


def _offered(turn: Turn, draft: Draft) -> Pending | None:
    """The shop's team, where an answer ends with the question whether to ask them."""
    asked = reply("next_step")
    if any(not one.factual and one.text == asked for one in draft.sentences):
        return Pending(kind="person", question=asked, standalone_query=turn.standalone_query, options={})
    return None
