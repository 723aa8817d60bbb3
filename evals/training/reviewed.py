"""Rows to learn from, of turns that people of the shop have judged: reviewed, or labelled after a thumb down.

What each judgement says, and of what, stands in `docs/evaluation.md`. Judgements of a turn that contradict each other
teach nothing. All words of customers are as they were recorded: with nothing personal in them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from app.storage.staff import Reviewed
from evals.metrics.texts import without_markers
from evals.rows import Message, RewritingRow, Row, Utterance
from graph.intents import NON_DECISION
from graph.turn import Citation
from ingestion.statements import as_read

Kind = Literal["intent", "rewriting", "reader"]

RIGHT = frozenset({"approved", "edited", "shop data wrong"})
"""Judgements by which the question was read right."""
WRONG = frozenset({"rejected", "wrong source"})
"""Judgements by which what is cited does not answer the question."""


class CitedSpan(Row):
    """A question and a span of a source: whether it answers.

    Attributes:
        evidence: The text of the source.
        start: Where the span begins in it, in code points.
        end: Where it ends.
        passage: The span as the reader reads it, behind what names its source.
        label: Whether it answers the question.
    """

    id: str
    question: str
    evidence_id: str
    evidence: str
    start: int
    end: int
    passage: str
    label: bool


def as_lines(kind: Kind, reviewed: Sequence[Reviewed]) -> str:
    """The rows of one kind, one JSON object a line."""
    rows = (row for one in reviewed for row in ROWS[kind](one))
    return "\n".join(row.model_dump_json(exclude_none=True) for row in rows)


def intents(one: Reviewed) -> Iterator[Utterance]:
    """The intent of a question that was read right and has one alone."""
    intent = one.row.turn.intent
    labels = [NON_DECISION] if intent.branch == "non_decision" else intent.selected
    if _judged(one) <= RIGHT and len(labels) == 1:
        yield Utterance(text=one.row.turn.standalone_query, label=labels[0])


def rewriting(one: Reviewed) -> Iterator[RewritingRow]:
    """A question that was read right, behind what was said before it."""
    turn = one.row.turn
    if _judged(one) <= RIGHT:
        yield RewritingRow(
            id=turn.turn_id,
            history=[message for before in one.before for message in _said(before.query, before.answer)],
            query=turn.query,
            gold=[turn.standalone_query],
            context=[product.name for product in turn.products if product.method == "page"],
        )


def reader(one: Reviewed) -> Iterator[CitedSpan]:
    """What was cited, for a question that it answers or does not; what was computed of sources is left out."""
    judged, turn = _judged(one), one.row.turn
    if not (judged <= RIGHT or judged <= WRONG):
        return
    # Of an edited answer it is the edited words that were found right.
    cited = [] if "edited" in judged else [*turn.citations]
    cited += [citation for message in one.messages for citation in message.citations]
    sources = {source.evidence_id: source for source in one.row.sources}
    spans = {_place(citation): citation for citation in cited if citation.derived is None}
    for number, ((evidence_id, start, end), citation) in enumerate(spans.items(), start=1):
        source = sources.get(evidence_id)
        if source is not None and source.text[start:end] == citation.quote:
            yield CitedSpan(
                id=f"{turn.turn_id}.{number}",
                question=turn.standalone_query,
                evidence_id=evidence_id,
                evidence=source.text,
                start=start,
                end=end,
                passage=as_read(source, citation.quote),
                label=judged <= RIGHT,
            )


ROWS: Mapping[Kind, Callable[[Reviewed], Iterator[Row]]] = {
    "intent": intents,
    "rewriting": rewriting,
    "reader": reader,
}


def _judged(one: Reviewed) -> set[str]:
    return {judgement for judgement in (one.decision, one.label) if judgement}


def _said(query: str, answer: str) -> list[Message]:
    return [Message(role="user", content=query), Message(role="assistant", content=without_markers(answer))]


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.evidence_id, citation.start, citation.end
