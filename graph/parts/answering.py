"""What is answered, by whom, and who checks it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from graph.draft import Block, Draft, Dropped, Sentence
from graph.state import CatalogResult
from graph.turn import BackendCall, Beside, Usage, User
from graph.understanding.parsed_question import ParsedQuestion
from ingestion.evidence import Evidence, Product


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
        ...


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
    CONDITION = "condition"
    """It tells a rule without what the rule depends on, or for more than it is made for."""
    SPEAKER = "speaker"
    """It tells as a fact what somebody says, makes many of one, or vouches for it."""
    ADDED = "added"
    """It says more than its sources."""
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
    beside: Beside = field(default_factory=Beside)
    lacking: tuple[str, ...] = ()


class Writer(Protocol):
    """Lets a language model write an answer, of which nothing is shown that is not borne out."""

    offered: Collection[str]
    """What can be asked for beside an answer, by name."""

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
        ...


class Verifier(Protocol):
    """Checks sentences against their own citations."""

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verification:
        """Judge one sentence; `evidence` holds at least what it cites, `product` is the one it speaks of."""
        return self.verify_all([(sentence, product)], evidence)[0]

    def verify_all(
        self, sentences: Sequence[tuple[Sentence, Product | None]], evidence: Mapping[str, Evidence]
    ) -> list[Verification]:
        """Judge many at once, each beside the product it speaks of; in their order."""
        ...
