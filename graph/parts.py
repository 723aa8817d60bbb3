"""The parts a turn is made from, as Protocols: each has a small implementation, and tests pass fakes."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.discourse import Discourse
from graph.draft import Draft, Sentence
from graph.live.backend import Backend
from graph.options import GraphOptions
from graph.turn import BackendCall, Escalation, ProductMatch, Retrieved, RewrittenBy, Role, Turn, User
from ingestion.evidence import Evidence, GlossaryTerm, Product

Vectors = NDArray[np.float32]
"""Unit vectors, one a row."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class Encoder(Protocol):
    """A sentence embedding model."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, shape `(len(texts), dimensions)`."""
        ...


class KnowledgeBase(Protocol):
    """One generation of an index, opened for reading."""

    @property
    def generation(self) -> str:
        """Name of the generation."""
        ...

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id, in the shop's order."""
        ...

    @property
    def glossary(self) -> Sequence[GlossaryTerm]:
        """The shop's own words."""
        ...

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        """Region name to the names and postal prefixes that belong to it."""
        ...

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        """The evidence of these ids, in their order.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """
        ...

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The embeddings of these ids, in their order."""
        ...

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """For each of these ids the embedding of the whole row or document it is a chunk of."""
        ...

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        """Everything of these types about a product, what is said of its category or brand included."""
        ...

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest shop-wide evidence (not about one product) and manuals: `(evidence_id, cosine)`, best first."""
        ...

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best of the same evidence by BM25: `(evidence_id, score)`, higher is better, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question that stands alone.

    Attributes:
        standalone_query: The question with its context; byte for byte the query where none was needed.
        searchable: There is a question to look up.
        live_agent: The user wants a person.
        role: A role the user just chose or stated.
        products: Ids of the products the rewrite resolved the question to ("the second one", a clicked option).
    """

    standalone_query: str
    rewritten_by: RewrittenBy
    searchable: bool = True
    live_agent: bool = False
    role: Role | None = None
    products: tuple[str, ...] = ()


class Rewriter(Protocol):
    """Makes a question stand alone."""

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Resolve what the question leaves unsaid from the thread and the open page."""
        ...


@dataclass(frozen=True, slots=True)
class CatalogResult:
    """The products a question names.

    Attributes:
        matches: Accepted products, in the order they are named.
        tied: Candidates of a mention that fits several products about equally; none of them is in `matches`.
        unknown: Names that look like products of this shop's kind and are not sold here.
        nearest: For `unknown`: the products with the nearest names.
        category: A category the question names ("your tents"), as its catalog path.
    """

    matches: tuple[ProductMatch, ...] = ()
    tied: tuple[ProductMatch, ...] = ()
    unknown: tuple[str, ...] = ()
    nearest: tuple[ProductMatch, ...] = ()
    category: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutsideProduct:
    """A product as an outside search tells it; either may be empty."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class OutsideAnswer:
    """What an outside search says.

    Attributes:
        products: What it found, best first.
        cached: Whether this was remembered from an earlier request.
        failure: Why it did not answer, in a few words that hold no address and no secret; None when it did.
    """

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


class IntentModel(Protocol):
    """Classifies a question."""

    def distribution(self, query: str) -> dict[str, float]:
        """Calibrated probabilities over the contract's intents, summing to 1."""
        ...


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


class Desk(Protocol):
    """Where a hand-over to a person goes."""

    def open_ticket(self, reason: str, summary: str) -> Escalation:
        """Open a ticket for the team and say where it went."""
        ...


class Recorder(Protocol):
    """Keeps the audit row of every turn, and the sources it cited."""

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[str]) -> None:
        """Store a turn, the full text of what it cites, and the sentences the verifier dropped."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a node may use; handed to the graph at each turn through `Runtime[Context]`."""

    knowledge: KnowledgeBase
    encoder: Encoder
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


__all__ = [
    "CatalogResult",
    "CatalogSearch",
    "Clock",
    "Context",
    "Desk",
    "Encoder",
    "IntentModel",
    "KnowledgeBase",
    "OutsideAnswer",
    "OutsideCatalog",
    "OutsideProduct",
    "Question",
    "Recorder",
    "Responder",
    "Retrieved",
    "Rewrite",
    "Rewriter",
    "Vectors",
    "Verdict",
    "Verifier",
]
