"""A live backend as the graph sees it, and what it answers."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from graph.turn import User
from ingestion.evidence import Evidence, Product


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """What a live backend says.

    Attributes:
        facts: What it knows now; empty when it knows nothing of the matter.
        dropped: Why others of its facts cannot be used, a line each.
        cached: Whether this was remembered from an earlier request.
        failure: Why it did not answer, in a few words that hold no address and no secret; None when it did.
    """

    facts: tuple[Evidence, ...] = ()
    dropped: tuple[str, ...] = ()
    cached: bool = False
    failure: str | None = None


class Backend(Protocol):
    """A service of the shop that knows the facts of one kind as they are now; what it owns, the index does not tell."""

    @property
    def name(self) -> str:
        """What users are told it is, such as `the stock service`."""
        ...

    @property
    def intents(self) -> AbstractSet[str]:
        """The intents it serves."""
        ...

    @property
    def source_type(self) -> str:
        """The kind of its facts."""
        ...

    @property
    def timeout_s(self) -> float:
        """Seconds after which nobody waits for it any longer."""
        ...

    @property
    def per_product(self) -> bool:
        """Whether it is asked about each product by itself, or else once about the whole shop."""
        ...

    def accepts(self, product: Product | None, user: User) -> bool:
        """Whether all that a request needs is known."""
        ...

    def ask(self, product: Product | None, user: User) -> LiveAnswer:
        """Ask what holds now; a failure is part of the answer."""
        ...
