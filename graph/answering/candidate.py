"""A candidate answer to one clause, before the best is chosen."""

from dataclasses import dataclass

from graph.draft import Block, Segment, Sentence, Span
from graph.parts import Statement
from ingestion.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to answer a clause.

    Attributes:
        blocks: What would be shown.
        score: How well it answers, 0 to 1, comparable between finders.
        attributes: Names of the attributes it is about.
        source_type: Kind of the evidence it rests on most.
        settled: Whether the shop itself says yes or no; what customers report stands beside it then.
        denied: Whether it says no.
        finder: What found it, such as `facts` or `prose`.
        statement: The statement that it tells, where it tells a single one that came near.
    """

    blocks: tuple[Block, ...]
    score: float
    source_type: str
    attributes: tuple[str, ...] = ()
    settled: bool = False
    denied: bool = False
    finder: str = "prose"
    statement: Statement | None = None

    @property
    def evidence_ids(self) -> frozenset[str]:
        """Ids of all that it cites."""
        return frozenset(
            span.evidence_id for block in self.blocks for sentence in block.sentences for span in sentence.spans
        )


def span(evidence: Evidence, start: int, end: int) -> Span:
    """A span of an evidence."""
    return Span(evidence_id=evidence.evidence_id, start=start, end=end)


def cited(text: str, *spans: Span, product_id: str | None = None) -> Sentence:
    """A factual sentence with all its markers at its end."""
    return Sentence(segments=[Segment(text=text, spans=list(spans))], product_id=product_id)


def remark(text: str) -> Sentence:
    """A sentence that states no fact: a lead-in, a question, what the shop does not know, a next step."""
    return Sentence(segments=[Segment(text=text)], factual=False)


def paragraph(*sentences: Sentence) -> Block:
    """A paragraph."""
    return Block(sentences=list(sentences))
