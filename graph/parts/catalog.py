"""The catalog, an outside catalog, and live backends, as the graph sees them."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from graph.state import CatalogResult
from graph.turn import User
from ingestion.evidence import Evidence, Product


@dataclass(frozen=True, slots=True)
class OutsideProduct:
    """A product as an outside search tells it; either may be empty."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class OutsideAnswer:
    """What an outside search found, best first; `cached` and `failure` are those of a `LiveAnswer`."""

    products: tuple[OutsideProduct, ...] = ()
    cached: bool = False
    failure: str | None = None


class OutsideCatalog(Protocol):
    """A search of the shop itself, asked for names that the index does not tell."""

    @property
    def name(self) -> str:
        """What users are told it is."""
        ...

    def search(self, text: str) -> OutsideAnswer:
        """Look a name up, within a time of its own; a failure is part of the answer."""
        ...


class CatalogSearch(Protocol):
    """Finds the products that a question names."""

    def named(self, name: str) -> list[str]:
        """Ids of the products with exactly this name, however it is spelled."""
        ...

    def find(self, query: str, session: Sequence[str], page: Sequence[str]) -> CatalogResult:
        """Resolve mentions: exact in session, fuzzy in session and catalog, then search; the page counts first."""
        ...


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
