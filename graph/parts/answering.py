"""What is answered, by whom, and who checks it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from graph.draft import Draft, Sentence
from graph.parts.catalog import CatalogResult
from graph.turn import BackendCall, User
from ingestion.evidence import Evidence, Product


@dataclass(frozen=True, slots=True)
class Question:
    """What a responder answers.

    Attributes:
        query: The user's own words.
        standalone_query: The same, standing alone.
        intents: Selected intents, likeliest first.
        products: The products it is about, in order; empty for the whole shop.
        catalog: All that catalog search found, ties and unknown names among it.
        evidence: What was retrieved and kept, best first.
        user: Who asks.
        context: The product the conversation is about, where a policy is asked without naming one.
        sells_products: Whether the shop has a catalog at all.
        related: Accessories and siblings whose specification is among the evidence.
        unreached: Requests to live backends that got no answer; what those backends own is not among the evidence.
    """

    query: str
    standalone_query: str
    intents: tuple[str, ...]
    products: tuple[Product, ...]
    catalog: CatalogResult
    evidence: tuple[tuple[Evidence, float], ...]
    user: User
    context: tuple[Product, ...] = ()
    related: tuple[Product, ...] = ()
    sells_products: bool = True
    unreached: tuple[BackendCall, ...] = ()


class Responder(Protocol):
    """Drafts an answer from evidence."""

    def draft(self, question: Question) -> Draft:
        """Answer from the given evidence alone; every factual sentence carries its spans."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a sentence's own citations support it.

    Attributes:
        support: 0 to 1.
        accepted: Whether it may be shown.
        failing: The words that no cited span supports.
    """

    support: float
    accepted: bool
    failing: tuple[str, ...] = ()


class Verifier(Protocol):
    """Checks a sentence against its own citations."""

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verdict:
        """Judge one sentence; `evidence` holds at least what it cites, `product` is the one it speaks of."""
        ...
