"""What a question means: made to stand alone, and its intent told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from graph.discourse import Discourse
from graph.turn import RewrittenBy, Role, Usage, User
from ingestion.evidence import Product


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


class IntentModel(Protocol):
    """Classifies a question."""

    def distribution(self, query: str) -> dict[str, float]:
        """Calibrated probabilities over the contract's intents, summing to 1."""
        ...
