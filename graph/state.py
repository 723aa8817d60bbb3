"""The state of a turn: typed, serialisable; evidence travels as ids, but for live facts, which no index holds."""

from dataclasses import dataclass
from operator import add, or_
from typing import Annotated

from pydantic.dataclasses import dataclass as validated
from typing_extensions import TypedDict

from graph.discourse import Discourse
from graph.draft import Draft, Dropped
from graph.language.limits import Bound, Limit
from graph.language.quantities import Quantity
from graph.turn import (
    BackendCall,
    Citation,
    Intent,
    ProductMatch,
    Retrieved,
    RewrittenBy,
    ShownSentence,
    SideOutputs,
    Style,
    Turn,
    Usage,
    User,
)
from graph.understanding.clauses import Clause
from graph.understanding.parsed_question import Form, ParsedClause, ParsedQuestion
from ingestion.evidence import Evidence


@validated(frozen=True, slots=True)
class CatalogResult:
    """The products a question names.

    Attributes:
        matches: Accepted products, in the order they are named.
        tied: Candidates of a mention that fits several products about equally; none of them is in `matches`.
        unknown: Names that look like products of this shop's kind and are not sold here.
        nearest: For `unknown`: the products with the nearest names.
        category: A category the question names ("your tents"), as its catalog path.
        members: The products of that category, by id.
    """

    matches: tuple[ProductMatch, ...] = ()
    tied: tuple[ProductMatch, ...] = ()
    unknown: tuple[str, ...] = ()
    nearest: tuple[ProductMatch, ...] = ()
    category: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One evidence found for one intent and product."""

    evidence_id: str
    score: float
    intent: str
    product_id: str | None


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text that is searched beside the question, such as one said before, and how much it counts, 0 to 1."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class LiveFact:
    """A fact of a live backend, which no index holds, and its relevance (0 to 1)."""

    evidence: Evidence
    score: float


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """What a node gives out of an answer before the turn is over: the text behind the pieces before.

    Once `settled`, the turn is sure to end with it. Until then it may be broken off, and comes with all sentences so
    far, their citations and the evidence cited.
    """

    text: str
    settled: bool = False
    sentences: tuple[ShownSentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    sources: tuple[Evidence, ...] = ()


def add_times(left: dict[str, float], right: dict[str, float]) -> dict[str, float]:
    """Add milliseconds per node; parallel and repeated runs of a node add up."""
    return left | {name: round(left.get(name, 0.0) + ms, 3) for name, ms in right.items()}


class TurnInput(TypedDict, total=False):
    """What a caller gives: the words, and optionally who asks, how to answer, and what else to ask a model for."""

    query: str
    user: User
    style: Style
    turn_id: str
    experiences: list[str]


class TurnState(TurnInput, total=False):
    """Everything between the nodes; `discourse` is what remains for the next turn."""

    discourse: Discourse
    standalone_query: str
    rewritten_by: RewrittenBy
    searchable: bool
    live_agent: bool
    resolved: list[str]
    continues: float | None
    recalled: list[WeightedText]
    refined: list[WeightedText]
    catalog: CatalogResult
    parsed: ParsedQuestion
    intent: Intent
    widened: bool
    hits: Annotated[list[Hit], add]
    live_calls: Annotated[list[BackendCall], add]
    live_facts: Annotated[dict[str, LiveFact], or_]
    retrieved: list[Retrieved]
    draft: Draft | None
    streamed: str
    beside: SideOutputs
    dropped: list[Dropped]
    turn: Turn
    timings_ms: Annotated[dict[str, float], add_times]
    usage: Annotated[Usage, add]
    degraded: Annotated[list[str], add]


class Task(TypedDict):
    """What is asked, about which products and by whom; `concerned` are those for whose groups a rule may hold."""

    query: str
    standalone_query: str
    products: list[str]
    concerned: list[str]
    user: User


class LiveTask(Task):
    """All requests to live backends of one retrieval, made at once; each names its backend and product."""

    calls: list[tuple[str, str | None]]


class RetrieveTask(Task):
    """One parallel retrieval, for an intent and a product."""

    intent: str
    product_id: str | None
    recalled: list[WeightedText]


def said_before(state: TurnState) -> str:
    """What the customer said in the turn before; empty in the first."""
    turns = state["discourse"].turns if "discourse" in state else []
    return turns[-1].query if turns else ""


def products_in_question(state: TurnState) -> list[str]:
    """Products the question names; where it names none, the one the conversation is about, else that of the open page.

    The rewrite leaves "do you ship to Canada?" alone, yet a rule for the product at hand comes before the general one.
    """
    named = [match.id for match in state["catalog"].matches]
    if named or state["catalog"].unknown:
        return named
    page = state["user"].page.product_id
    return state["discourse"].focus[:1] or ([page] if page else [])


def products_concerned(state: TurnState) -> list[str]:
    """Products for whose groups a rule may hold: those in question, or all of another kind that is named; none for any.

    "Can I return a kettle?" asks for the rule of kettles while a tent is spoken of.
    """
    catalog, in_question = state["catalog"], products_in_question(state)
    another = not catalog.matches and not set(in_question) & set(catalog.members)
    return list(catalog.members) if catalog.members and another else in_question


CHECKPOINTED = (
    BackendCall,
    SideOutputs,
    Bound,
    CatalogResult,
    Clause,
    Discourse,
    Draft,
    Dropped,
    Evidence,
    Form,
    Hit,
    Intent,
    Limit,
    LiveFact,
    ParsedClause,
    ParsedQuestion,
    ProductMatch,
    Quantity,
    Retrieved,
    Turn,
    Usage,
    User,
    WeightedText,
)
"""The types that a state or a task holds: what a checkpoint may be read as."""
