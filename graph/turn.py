"""A turn as outsiders see it: the shapes of the contract's section 3."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal["clear", "ambiguous", "no_answer", "non_decision", "handoff"]
STATING: tuple[Outcome, ...] = ("clear", "ambiguous")
"""Outcomes of answers that state something."""
Branch = Literal["focused", "broad", "non_decision", "handoff"]
Style = Literal["text", "voice", "plain"]
Role = Literal["buyer", "seller"]
BACKEND_TIME = "live: "
"""In `timings_ms` before a live backend's name: a part of the time of the node `live`, which is that of the slowest."""
RewrittenBy = Literal["none", "rules", "model", "llm"]
AnsweredBy = Literal["local", "llm"]
MatchMethod = Literal["page", "session", "exact", "fuzzy", "search"]


class Shape(BaseModel):
    """Base of all shapes: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class Page(Shape):
    """What the user looks at: one product, a page that lists several, or one about something else, by its titles."""

    product_id: str | None = None
    products: list[str] = Field(default_factory=list)
    titles: list[str] = Field(default_factory=list)


class User(Shape):
    """Who asks, and from where."""

    role: Role | None = None
    region: str | None = None
    membership: str | None = None
    page: Page = Field(default_factory=Page)
    owned: list[str] = Field(default_factory=list)
    preferences: dict[str, str] = Field(default_factory=dict)


class ProductMatch(Shape):
    """A product the question is about, how it was found, and how sure that is (0 to 1)."""

    id: str
    name: str
    method: MatchMethod
    score: float


class Intent(Shape):
    """Calibrated probabilities over the intents, and the branch they choose.

    `entropy` is that of the distribution without `non_decision`, renormalised and divided by its maximum.
    """

    distribution: dict[str, float]
    entropy: float
    selected: list[str]
    branch: Branch


class Derived(Shape):
    """How a figure that no source states was computed from sources that can be opened."""

    op: Literal["count", "mean", "convert"]
    of: list[str]
    value: float | str


class ShownSentence(Shape):
    """A sentence of the answer without its markers; a table's cell is one, too."""

    text: str
    citations: list[int]
    support: float
    factual: bool


class Citation(Shape):
    """What stands behind one marker: a span of one evidence."""

    marker: int
    evidence_id: str
    source_type: str
    title: str
    section: str | None
    page: int | None
    url: str | None
    updated_at: str | None
    product_id: str | None
    quote: str
    start: int
    end: int
    generation: str
    derived: Derived | None = None


class Retrieved(Shape):
    """One evidence given to the responder, and its relevance (0 to 1)."""

    evidence_id: str
    score: float


class Suggestion(Shape):
    """A product offered beside the answer."""

    product_id: str
    name: str


class Clarification(Shape):
    """One short question back, and the replies that can be clicked."""

    question: str
    options: list[str]


class Confidence(Shape):
    """The probability that the answer is right and supported.

    Attributes:
        signals: What it was read from, by name.
    """

    score: float
    label: Literal["high", "medium", "low"]
    signals: dict[str, float] = Field(default_factory=dict)


class Review(Shape):
    """Whether a person of the shop should look at this turn, and why."""

    required: bool = False
    issues: list[str] = Field(default_factory=list)


class Escalation(Shape):
    """The hand-over to a person."""

    reason: str
    ticket_id: str
    to: str
    summary: str


class Usage(Shape):
    """What the turn cost in LLM calls and tokens."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields})

    @property
    def cached_share(self) -> float:
        """Share of the prompt tokens that the server had computed before, 0 to 1."""
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else 0.0


class Blurb(Shape):
    """The text of a product card, without markers, and what bears it out."""

    text: str
    evidence_ids: list[str]


class Judgement(Shape):
    """How a judge grades an answer: it decides nothing.

    Attributes:
        judge: The model that judged.
        relevancy: How far it answers the question, 1 to 5.
        grounded: How far its sources bear it out, 1 to 5.
        helped: Whether the customer has what they asked for.
    """

    judge: str
    relevancy: int
    grounded: int
    helped: bool


class SideOutputs(Shape):
    """What a language model was asked for beside the answer; empty where it was not, or gave nothing usable."""

    followups: list[str] = Field(default_factory=list)
    blurb: Blurb | None = None
    judgement: Judgement | None = None


class BackendCall(Shape):
    """One request to a live backend, and what came of it.

    Attributes:
        name: What the backend is called, as users are told.
        source_type: The kind of evidence it owns.
        intents: The intents it serves.
        product_id: The product it was asked about; None for the whole shop.
        ms: How long it was waited for, in milliseconds.
        facts: How many of its facts can be used.
        dropped: Why others cannot, a line each.
        cached: Whether its answer was remembered from an earlier request.
        failure: Why it did not answer, in a few words; None when it did.
    """

    name: str
    source_type: str
    intents: list[str]
    product_id: str | None = None
    ms: float = 0.0
    facts: int = 0
    dropped: list[str] = Field(default_factory=list)
    cached: bool = False
    failure: str | None = None


class Turn(SideOutputs):
    """Everything that is known about one turn after it ended."""

    thread_id: str
    turn_id: str
    query: str
    user: User = Field(default_factory=User)
    """Who asked, as far as that was known then."""
    style: Style = "text"
    standalone_query: str
    rewritten_by: RewrittenBy
    searchable: bool
    live_agent: bool
    continues: float | None = None
    """How far the question goes on from what was said before it, 0 to 1: so far retrieval searches that, too."""
    products: list[ProductMatch]
    intent: Intent
    outcome: Outcome
    answer: str
    sentences: list[ShownSentence]
    citations: list[Citation]
    widened: list[str] = Field(default_factory=list)
    """Intents read in a second search, once, where a part of the question was left without evidence; else empty."""
    retrieved: list[Retrieved]
    suggestions: list[Suggestion] = Field(default_factory=list)
    clarification: Clarification | None = None
    missing: list[str] = Field(default_factory=list)
    """Parts of the question that nothing answers, in its own words."""
    confidence: Confidence
    review: Review = Field(default_factory=Review)
    escalation: Escalation | None = None
    answered_by: AnsweredBy = "local"
    considered: dict[AnsweredBy, float] = Field(default_factory=dict)
    """The probability of being right of each draft there was, by who wrote it; empty where no model may be asked."""
    degraded: str | None = None
    backends: list[BackendCall] = Field(default_factory=list)
    timings_ms: dict[str, float] = Field(default_factory=dict)
    usage: Usage = Field(default_factory=Usage)
    generation: str
    prompt_hash: str
    config_hash: str
    variant: str | None = None
    """The variant of the settings that answered; None for the settings as they are."""

    @property
    def total_ms(self) -> float:
        """Milliseconds of its nodes; a backend's are part of its node's."""
        return sum(ms for name, ms in self.timings_ms.items() if not name.startswith(BACKEND_TIME))
