"""A drafted answer: segments bound to the spans that support them, before markers are numbered."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from pydantic import ConfigDict, Field

from graph.turn import AnsweredBy, Clarification, Derived, Outcome, Shape, Suggestion

PendingKind = Literal["product", "role", "region", "slot", "person"]
"""What a question back waits for."""


class Span(Shape):
    """A stretch of one evidence's text, in code points."""

    evidence_id: str
    start: int
    end: int
    derived: Derived | None = None

    def overlaps(self, other: "Span") -> bool:
        """Whether both share text of one evidence."""
        return self.evidence_id == other.evidence_id and self.start < other.end and other.start < self.end


class Segment(Shape):
    """A piece of a sentence and what supports it; its markers stand at its end, before closing punctuation."""

    text: str
    spans: list[Span] = Field(default_factory=list)


class Sentence(Shape):
    """One sentence, list item or table cell.

    Attributes:
        segments: Its text in order; joined, they are the sentence's text.
        factual: Whether it states something about a product or the shop, so that it must be supported.
        product_id: The product it is about; its citations may be about no other.
        support: How well its own citations support it (0 to 1), set by the verifier.
    """

    segments: list[Segment]
    factual: bool = True
    product_id: str | None = None
    support: float = 0.0

    @property
    def text(self) -> str:
        """The sentence without markers."""
        return "".join(segment.text for segment in self.segments)

    @property
    def spans(self) -> list[Span]:
        """All its spans, in order."""
        return [span for segment in self.segments for span in segment.spans]


class Part(Shape):
    """A part of a question: one of its clauses, about one of its products or about the shop."""

    model_config = ConfigDict(frozen=True)

    text: str
    product_id: str | None = None


class YesNo(StrEnum):
    """How an answer to a yes-or-no question opens."""

    YES = "Yes."
    NO = "No."

    @classmethod
    def of(cls, holds: bool) -> "YesNo":  # noqa: FBT001 - the question is whether it holds
        """Yes where it holds."""
        return cls.YES if holds else cls.NO


class Block(Shape):
    """A paragraph, a list or a table.

    Attributes:
        kind: `table` holds its cells row by row in `sentences`; the others hold their sentences or items.
        columns: A table's column heads, the first being that of the row names.
        row_names: A table's row names; row `i` has `len(columns) - 1` cells.
        part: The part of the question that it answers, which is missing where nothing of it can be shown.
    """

    kind: Literal["paragraph", "bullets", "steps", "table"] = "paragraph"
    sentences: list[Sentence]
    columns: list[str] = Field(default_factory=list)
    row_names: list[str] = Field(default_factory=list)
    part: Part | None = None

    @property
    def facts(self) -> list[Sentence]:
        """Its sentences that state something."""
        return [sentence for sentence in self.sentences if sentence.factual]


class Draft(Shape):
    """An answer with its outcome, as a responder proposes it.

    Attributes:
        confidence: How sure the responder is that this answers the question (0 to 1).
        attributes: Names of the attributes it is about, remembered for follow-up questions.
        listed: Ids of the products it lists, in order.
        focus: Ids of the products it singles out of those, which the next question may be about.
        missing: Parts of the question that no evidence answers.
        issues: Why a person of the shop should look at it.
        answered_by: Who wrote it.
        considered: The probability of being right of each draft there was, by who wrote it; empty where no model may be
            asked.
    """

    outcome: Outcome
    blocks: list[Block]
    confidence: float
    clarification: Clarification | None = None
    suggestions: list[Suggestion] = Field(default_factory=list)
    followups: list[str] = Field(default_factory=list)
    attributes: list[str] = Field(default_factory=list)
    listed: list[str] = Field(default_factory=list)
    focus: list[str] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    issues: list[str] = Field(default_factory=list)
    options: dict[str, str] = Field(default_factory=dict)
    """For a clarification: label of an option to what it means."""
    pending_kind: PendingKind | None = None
    answered_by: AnsweredBy = "local"
    considered: dict[AnsweredBy, float] = Field(default_factory=dict)

    @property
    def asks_openly(self) -> bool:
        """Whether it asks back and offers nothing to choose from."""
        return self.clarification is not None and not self.clarification.options

    @property
    def sentences(self) -> list[Sentence]:
        """All its sentences, in order."""
        return [sentence for block in self.blocks for sentence in block.sentences]

    @property
    def sources(self) -> list[str]:
        """Ids of all that it cites or counts, each once."""
        spans = [span for sentence in self.sentences for span in sentence.spans]
        counted = [key for span in spans if span.derived for key in span.derived.of]
        return list(dict.fromkeys([*(span.evidence_id for span in spans), *counted]))

    @property
    def facts(self) -> list[Sentence]:
        """Those that state something."""
        return [fact for block in self.blocks for fact in block.facts]

    def left_with(self, blocks: Sequence[Block]) -> "Draft":
        """The draft with what may be shown of its blocks, without lead-ins to what may not."""
        kept: list[Block] = []
        followed = False
        for block in reversed(blocks):
            last = block.sentences[-1]
            leads = not last.factual and last.text.endswith(":")
            said = block.sentences[:-1] if leads and not followed else block.sentences
            kept += [block.model_copy(update={"sentences": said})] if said else []
            followed = bool(block.facts) or (followed and not leads)
        left = self.model_copy(update={"blocks": kept[::-1]})
        return left if len(left.facts) < len(self.facts) else self.model_copy(update={"blocks": list(blocks)})


class Dropped(Shape):
    """A drafted sentence that was not shown.

    Attributes:
        failing: The words that no cited span supports.
        reasons: What it was refused for: values of `Verdict`, or names that earlier versions recorded.
        instead: What was shown in its place; None where nothing was.
        issue: Why a person of the shop should look at it; None where the reasons say enough.
    """

    text: str
    failing: list[str] = Field(default_factory=list)
    reasons: list[str] = Field(default_factory=list)
    instead: str | None = None
    issue: str | None = None
