"""All that a node may use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from graph.discourse import Discourse
from graph.draft import Dropped
from graph.intents.entropy import IntentModel
from graph.options import GraphOptions
from graph.parts.answering import Responder, Verifier, Writer
from graph.parts.catalog import Backend, CatalogSearch, OutsideCatalog
from graph.parts.knowledge import KnowledgeBase, Reader, StatementFinder
from graph.trained import Encoder
from graph.turn import Escalation, RewrittenBy, Role, Turn, Usage, User
from ingestion.evidence import Evidence, Product


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class Desk(Protocol):
    """Where a hand-over to a person goes."""

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        """Open a ticket for a team, that of the shop where none is named, and say where it went."""
        ...


class Recorder(Protocol):
    """Keeps the audit row of every turn, and the sources it cited."""

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Store a turn, the full text of what it cites, and the sentences the verifier dropped."""
        ...


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question that stands alone.

    Attributes:
        standalone_query: The question with its context; byte for byte the query where none was needed.
        searchable: There is a question to look up.
        live_agent: The user wants a person.
        role: A role the user just chose or stated.
        region: A place the user just gave when asked for it.
        products: Ids of the products the rewrite resolved the question to ("the second one", a clicked option).
        sure: Whether nothing that the question leans on was left open.
        refined: Texts to search with beside the question; they are never shown, nor cited.
        usage: What it cost.
        degraded: Why it had to do without a model that should have read the question; None where it had not.
    """

    standalone_query: str
    rewritten_by: RewrittenBy
    searchable: bool = True
    live_agent: bool = False
    role: Role | None = None
    products: tuple[str, ...] = ()
    region: str | None = None
    sure: bool = True
    refined: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    degraded: str | None = None


class Rewriter(Protocol):
    """Makes a question stand alone."""

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Resolve what the question leaves unsaid from the thread and the open page."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a node may use; handed to the graph at each turn through `Runtime[Context]`."""

    knowledge: KnowledgeBase
    encoder: Encoder
    finder: StatementFinder
    reader: Reader
    rewriter: Rewriter
    catalog: CatalogSearch
    intents: IntentModel
    responder: Responder
    verifier: Verifier
    desk: Desk
    recorder: Recorder
    clock: Clock
    options: GraphOptions
    config_hash: str
    backends: tuple[Backend, ...] = ()
    outside_catalog: OutsideCatalog | None = None
    writer: Writer | None = None
