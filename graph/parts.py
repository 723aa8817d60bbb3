"""The parts a turn is made from, as Protocols: each has a small implementation, and tests pass fakes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from graph.discourse import Discourse
from graph.draft import Block, Draft, Dropped, Sentence
from graph.intents.entropy import IntentModel as IntentModel  # noqa: PLC0414 - a part, too
from graph.options import GraphOptions
from graph.state import CatalogResult
from graph.trained import Encoder as Encoder  # noqa: PLC0414 - a part, too
from graph.trained import Vectors as Vectors  # noqa: PLC0414
from graph.turn import BackendCall, Escalation, RewrittenBy, Role, SideOutputs, Turn, Usage, User
from graph.understanding.parsed_question import ParsedQuestion
from ingestion.evidence import Evidence, GlossaryTerm, Product


class KnowledgeBase(Protocol):
    """One generation of an index, opened for reading."""

    @property
    def generation(self) -> str:
        """Name of the generation."""

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id, in the shop's order."""

    @property
    def glossary(self) -> Sequence[GlossaryTerm]:
        """The shop's own words."""

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        """Region name to the names and postal prefixes that belong to it."""

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        """The evidence of these ids, in their order.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The embeddings of these ids, in their order."""

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """For each of these ids the embedding of the whole row or document it is a chunk of."""

    def statement_vectors(self, evidence: Sequence[Evidence]) -> Mapping[str, Vectors]:
        """By evidence id the embeddings of its statements, in their order; what was not embedded is left out."""

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        """Everything of these types about a product, what is said of its category or brand included."""

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest shop-wide evidence (not about one product) and manuals: `(evidence_id, cosine)`, best first."""

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best of the same evidence by BM25: `(evidence_id, score)`, higher is better, best first."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of an evidence that says something by itself.

    Attributes:
        evidence: Where it stands.
        start: Its first code point.
        end: Behind its last.
        score: How near it comes to answering the question, -1 to 1.
    """

    evidence: Evidence
    start: int
    end: int
    score: float

    @property
    def text(self) -> str:
        """The stretch, character for character."""
        return self.evidence.text[self.start : self.end]


class StatementFinder(Protocol):
    """Finds what may answer."""

    def nearest(self, questions: Sequence[str], evidence: Sequence[Evidence], before: str = "") -> list[Statement]:
        """All statements of evidence, those that answer best first.

        Args:
            questions: Wordings of one question; the nearest of them counts.
            evidence: What is read.
            before: What the customer said in the turn before.
        """


Pair = tuple[str, str]
"""A question or a statement, and a passage behind what names its source."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a passage says to a question, or to a statement, as probabilities.

    Attributes:
        answers: That it answers the question.
        yes: That it says yes to it.
        no: That it says no to it.
        supported: That it bears the statement out.
    """

    answers: float
    yes: float
    no: float
    supported: float


class Reader(Protocol):
    """Decides what passages say."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """What the second text of each pair says to the first."""


@dataclass(frozen=True, slots=True)
class Models:
    """What an answer is composed with.

    Attributes:
        encoder: Compares meanings.
        finder: Finds the statements that answer.
        reader: Decides what they say.
    """

    encoder: Encoder
    finder: StatementFinder
    reader: Reader


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

    def search(self, text: str) -> OutsideAnswer:
        """Look a name up, within a time of its own; a failure is part of the answer."""


class CatalogSearch(Protocol):
    """Finds the products that a question names."""

    def named(self, name: str) -> list[str]:
        """Ids of the products with exactly this name, however it is spelled."""

    def category(self, text: str) -> tuple[str, ...]:
        """The catalog path that a text names by its words; empty for none."""

    def find(self, query: str, session: Sequence[str], page: Sequence[str]) -> CatalogResult:
        """Resolve mentions: exact in session, fuzzy in session and catalog, then search; the page counts first."""


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

    @property
    def intents(self) -> AbstractSet[str]:
        """The intents it serves."""

    @property
    def source_type(self) -> str:
        """The kind of its facts."""

    @property
    def timeout_s(self) -> float:
        """Seconds after which nobody waits for it any longer."""

    @property
    def per_product(self) -> bool:
        """Whether it is asked about each product by itself, or else once about the whole shop."""

    def accepts(self, product: Product | None, user: User) -> bool:
        """Whether all that a request needs is known."""

    def ask(self, product: Product | None, user: User) -> LiveAnswer:
        """Ask what holds now; a failure is part of the answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a responder answers.

    Attributes:
        query: The user's own words.
        standalone_query: The same, standing alone.
        parsed: That, read.
        intents: Selected intents, likeliest first.
        products: The products it is about, in order; empty for the whole shop.
        catalog: All that catalog search found, ties and unknown names among it.
        evidence: What was retrieved and kept, best first: what the intents look for, and behind it, with a score of 0,
            what is nearest to answering.
        user: Who asks.
        context: The product the conversation is about, where a policy is asked without naming one.
        sells_products: Whether the shop has a catalog at all.
        related: Accessories and siblings whose specification is among the evidence.
        unreached: Requests to live backends that got no answer; what those backends own is not among the evidence.
        places: Places the question names; the evidence holds for them.
        regions: The shop's regions, each with what belongs to it.
        before: What the customer said in the turn before; empty in the first.
        distribution: Probabilities of the intents.
        likely: Ids of what the local answer cites, for a model that reads the evidence as well.
    """

    query: str
    standalone_query: str
    parsed: ParsedQuestion
    intents: tuple[str, ...]
    products: tuple[Product, ...]
    catalog: CatalogResult
    evidence: tuple[tuple[Evidence, float], ...]
    user: User
    context: tuple[Product, ...] = ()
    related: tuple[Product, ...] = ()
    sells_products: bool = True
    unreached: tuple[BackendCall, ...] = ()
    places: tuple[str, ...] = ()
    regions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    before: str = ""
    distribution: Mapping[str, float] = field(default_factory=dict)
    likely: tuple[str, ...] = ()

    @property
    def sources(self) -> dict[str, Evidence]:
        """Its evidence, by id."""
        return {item.evidence_id: item for item, _ in self.evidence}

    @property
    def spoken_of(self) -> dict[str, Product]:
        """All products that an answer may speak of, by id."""
        return {product.id: product for product in (*self.products, *self.related, *self.context)}


class Responder(Protocol):
    """Drafts an answer from evidence."""

    def draft(self, question: Question) -> Draft:
        """Answer from the given evidence alone; every factual sentence carries its spans."""

    def probability(self, facts: Sequence[Sentence], question: Question) -> float:
        """How probable it is that what another writer states answers a question, 0 to 1."""


class Verdict(StrEnum):
    """What a sentence is refused for."""

    CITATION = "citation"
    """It cites nothing, or nothing that is there and states anything."""
    SCOPE = "scope"
    """It cites what is about another product."""
    SUPPORT = "support"
    """What it cites does not bear it out."""
    FIGURES = "figures"
    """A figure, unit, limit or date is not that of its source."""
    COMPUTED = "computed"
    """What was counted, converted or ranked for it does not recompute."""
    NAMES = "names"
    """A name, mark, entry or address is not that of its source."""
    NEGATION = "negation"
    """It denies what its source affirms, or the other way about."""
    SPEAKER = "speaker"
    """It tells as a fact what somebody says, or vouches for it."""
    CONDITION = "condition"
    """It leaves out for what alone its source holds."""
    ADDED = "added"
    """It says of one thing what its sources say of another."""
    QUESTION = "question"
    """It asks, and states nothing."""
    SENSITIVE = "sensitive"
    """It makes a claim that only a primary source may make."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of holding a sentence against its own citations.

    Attributes:
        support: How well they support it, 0 to 1.
        failing: The words that no cited span supports.
        reasons: What it is refused for; none where it may be shown.
    """

    support: float
    failing: tuple[str, ...] = ()
    reasons: tuple[Verdict, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it may be shown."""
        return not self.reasons


@dataclass(frozen=True, slots=True)
class Written:
    """What a language model made of a question.

    Attributes:
        draft: What may be shown; None where the question is to be answered without it.
        dropped: Sentences that it wrote and nobody sees.
        usage: What it cost.
        failure: Why it gave no whole answer, in a few words; None where it did.
        beside: What else was asked for.
        lacking: What of that it did not give, each as `NAME: why`.
    """

    draft: Draft | None
    dropped: tuple[Dropped, ...] = ()
    usage: Usage = field(default_factory=Usage)
    failure: str | None = None
    beside: SideOutputs = field(default_factory=SideOutputs)
    lacking: tuple[str, ...] = ()


class Writer(Protocol):
    """Lets a language model write an answer, of which nothing is shown that is not borne out."""

    offered: Collection[str]
    """What can be asked for beside an answer, by name."""
    only_unsure: bool
    """Whether it is asked only where the local answer is not sure to be right."""

    def write(
        self,
        question: Question,
        sources: Question,
        experiences: Collection[str],
        show: Callable[[Sequence[Block]], None],
    ) -> Written:
        """Write an answer sentence by sentence.

        Args:
            question: What is asked, with the evidence to answer from.
            sources: The same with all that is looked up for sensitive claims.
            experiences: What else is asked for, by name.
            show: Called with all that may be shown so far whenever that has grown; it is never taken back.
        """


class Verifier(Protocol):
    """Checks sentences against their own citations."""

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verification:
        """Judge one sentence; `evidence` holds at least what it cites, `product` is the one it speaks of."""
        return self.verify_all([(sentence, product)], evidence)[0]

    def verify_all(
        self, sentences: Sequence[tuple[Sentence, Product | None]], evidence: Mapping[str, Evidence]
    ) -> list[Verification]:
        """Judge many at once, each beside the product it speaks of; in their order."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class Desk(Protocol):
    """Where a hand-over to a person goes."""

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        """Open a ticket for a team, that of the shop where none is named, and say where it went."""


class Recorder(Protocol):
    """Keeps the audit row of every turn, and the sources it cited."""

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Store a turn, the full text of what it cites, and the sentences the verifier dropped."""


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
    variant: str | None = None
