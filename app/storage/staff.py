"""What people of the shop see of all conversations, and what they decide: reviews, hand-offs, feedback, gaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from app.storage.databases import Store
from app.storage.masking import masked
from app.storage.records import AuditRow, Feedback, StaffMessage, audit_row, keep_source, message_in, said_in
from app.storage.tables import FactRow, FeedbackRow, GapRow, MessageRow, OpenedRow, ReviewRow, TicketRow, TurnRow
from graph.parts import Clock
from graph.turn import Citation, Outcome, Turn
from ingestion.evidence import Evidence

Decision = Literal["approved", "edited", "rejected"]
Label = Literal["hallucination", "wrong source", "not helpful", "shop data wrong"]
LABELS: tuple[Label, ...] = get_args(Label)
"""What a bad answer turns out to be."""


@dataclass(frozen=True, slots=True)
class Worded:
    """What a customer is told by a person of the shop.

    Attributes:
        text: With a marker `[n]` behind what a source bears out.
        citations: What stands behind the markers.
        sources: The evidence that they cite.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    sources: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A turn that a person should look at.

    Attributes:
        issues: Why.
        decision: What was decided; None while it is open.
        by: Who decided.
    """

    row: AuditRow
    issues: tuple[str, ...]
    decision: str | None
    by: str | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """A conversation that was handed over.

    Attributes:
        team: Who takes over.
        conversation: Its turns up to the latest; empty where the turn was never recorded.
        turn_id: The turn that handed it over; None as above.
        messages: What people of the shop wrote into it.
        closed: When it was closed; None while it is open.
    """

    ticket_id: str
    at: datetime
    reason: str
    team: str
    summary: str
    turn_id: str | None
    conversation: tuple[Turn, ...]
    messages: tuple[StaffMessage, ...]
    closed: datetime | None


@dataclass(frozen=True, slots=True)
class Complaint:
    """A thumb down, and what the staff found it to be; None while nobody has looked."""

    row: AuditRow
    said: Feedback
    label: str | None


@dataclass(frozen=True, slots=True)
class Recent:
    """A conversation in a list of all customers' conversations.

    Attributes:
        question: Its first one.
        at: When its latest turn was over, UTC.
        disliked: Whether a thumb is down in it.
    """

    thread_id: str
    question: str
    at: datetime
    disliked: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A turn that a person of the shop has judged.

    Attributes:
        before: The turns of its conversation before it, oldest first.
        decision: What a review of it came to; None without one.
        label: What the staff found of a thumb down; None without one.
        messages: What people of the shop wrote behind it.
    """

    row: AuditRow
    before: tuple[Turn, ...]
    decision: str | None
    label: str | None
    messages: tuple[StaffMessage, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that nothing answered, or not all of.

    Attributes:
        question: The whole question, as it stands by itself.
        part: What of it nothing answered: all of it, or a phrase.
    """

    number: int
    at: datetime
    question: str
    part: str
    product_id: str | None
    intent: str | None
    turn_id: str


@dataclass(frozen=True, slots=True)
class Engagement:
    """What became of a turn, for figures over many.

    Attributes:
        ms: Time of its nodes, in milliseconds.
        followed: Whether the conversation went on after it.
        opened: Whether one of its sources was opened.
        thumb: What the customer thought of it; None where they did not say.
        variant: The variant of the settings that answered; None for the settings as they are.
    """

    at: datetime
    thread_id: str
    outcome: Outcome
    confidence: float
    ms: float
    cached_share: float | None
    followed: bool
    opened: bool
    thumb: str | None
    variant: str | None


class StaffRecords:
    """The records as the people of the shop use them, whosoever conversations they are.

    Args:
        store: The database.
        clock: What "now" is.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def counts(self) -> dict[str, int]:
        """How much waits: `reviews`, `tickets` and `feedback` that nobody has looked at."""
        waiting: dict[str, ColumnElement[bool]] = {
            "reviews": ReviewRow.decision.is_(None),
            "tickets": TicketRow.closed.is_(None),
            "feedback": (FeedbackRow.thumb == "down") & FeedbackRow.label.is_(None),
        }
        with self._store.reading() as session:
            return {
                name: session.scalar(select(func.count()).where(condition)) or 0 for name, condition in waiting.items()
            }

    def reviews(self, *, decided: bool = False, limit: int = 50) -> list[ReviewItem]:
        """Turns to look at, the oldest first; or those that somebody has looked at, the latest first."""
        asked = select(ReviewRow, TurnRow).join(TurnRow, TurnRow.turn_id == ReviewRow.turn_id)
        order = ReviewRow.decided.desc() if decided else ReviewRow.at
        wanted = asked.where(ReviewRow.decision.is_not(None) if decided else ReviewRow.decision.is_(None))
        with self._store.reading() as session:
            return [
                ReviewItem(audit_row(session, turn), tuple(review.issues), review.decision, review.by)
                for review, turn in session.execute(wanted.order_by(order).limit(limit)).all()
            ]

    def decide(self, turn_id: str, decision: Decision, by: str, said: Worded) -> bool:
        """Settle a review, and write into the conversation what came of it.

        Args:
            turn_id: The turn.
            decision: What was decided.
            by: Who decided.
            said: What the customer is told.

        Returns:
            Whether it was open: of two who decide at once the first one does.
        """
        settled = {"decision": decision, "decided": self._clock.now(), "by": by}
        open_ = update(ReviewRow).where(ReviewRow.turn_id == turn_id, ReviewRow.decision.is_(None))
        with self._store.writing() as session:
            if session.scalar(open_.values(**settled).returning(ReviewRow.turn_id)) is None:
                return False
            self._write(session, turn_id, by, said)
        return True

    def tickets(self, *, closed: bool = False, limit: int = 50) -> list[Ticket]:
        """Hand-overs that wait, the oldest first; or those that are closed, the latest first."""
        wanted = select(TicketRow).where(TicketRow.closed.is_not(None) if closed else TicketRow.closed.is_(None))
        order = TicketRow.closed.desc() if closed else TicketRow.at
        with self._store.reading() as session:
            return [_ticket(session, row) for row in session.scalars(wanted.order_by(order).limit(limit)).all()]

    def reply(self, turn_id: str, by: str, text: str) -> None:
        """Write a person's own words into a conversation, behind a turn of it."""
        with self._store.writing() as session:
            self._write(session, turn_id, by, Worded(text))

    def close_ticket(self, ticket_id: str) -> None:
        """Nothing is left to do for a hand-over."""
        with self._store.writing() as session:
            closed = update(TicketRow).where(TicketRow.ticket_id == ticket_id, TicketRow.closed.is_(None))
            session.execute(closed.values(closed=self._clock.now()))

    def complaints(self, since: datetime, *, labelled: bool = False, limit: int = 100) -> list[Complaint]:
        """Thumbs down from a moment on that nobody has looked at, or somebody has.

        The surest answers come first; hand-overs are no answers and come last.
        """
        asked = select(FeedbackRow, TurnRow).join(TurnRow, TurnRow.turn_id == FeedbackRow.turn_id)
        wanted = asked.where(
            FeedbackRow.thumb == "down",
            TurnRow.at >= since,
            FeedbackRow.label.is_not(None) if labelled else FeedbackRow.label.is_(None),
        )
        surest = TurnRow.turn["confidence"]["score"].as_float()
        worst = wanted.order_by(TurnRow.outcome == "handoff", surest.desc())
        with self._store.reading() as session:
            return [
                Complaint(audit_row(session, turn), said_in(said), said.label)
                for said, turn in session.execute(worst.limit(limit)).all()
            ]

    def label(self, turn_id: str, label: Label) -> None:
        """Say what a bad answer was."""
        with self._store.writing() as session:
            session.execute(update(FeedbackRow).where(FeedbackRow.turn_id == turn_id).values(label=label))

    def messages(self, thread_id: str) -> list[StaffMessage]:
        """What people of the shop wrote into a conversation, oldest first."""
        with self._store.reading() as session:
            return _messages(session, select(TurnRow.turn_id).where(TurnRow.thread_id == thread_id))

    def recent(self, limit: int = 100) -> list[Recent]:
        """The latest conversations, those with a thumb down first."""
        begun = aliased(TurnRow)
        first = select(begun.query).where(begun.thread_id == TurnRow.thread_id).order_by(begun.number).limit(1)
        disliked = func.count().filter(FeedbackRow.thumb == "down") > 0
        held = select(TurnRow.thread_id, first.scalar_subquery(), func.max(TurnRow.at), disliked)
        listed = held.outerjoin(FeedbackRow, FeedbackRow.turn_id == TurnRow.turn_id).group_by(TurnRow.thread_id)
        latest = listed.order_by(disliked.desc(), func.max(TurnRow.number).desc()).limit(limit)
        with self._store.reading() as session:
            return [Recent(*one) for one in session.execute(latest).all()]

    def reviewed(self) -> list[Reviewed]:
        """The turns that somebody has decided on or labelled, oldest first."""
        asked = select(TurnRow, ReviewRow.decision, FeedbackRow.label)
        joined = asked.outerjoin(ReviewRow, ReviewRow.turn_id == TurnRow.turn_id)
        joined = joined.outerjoin(FeedbackRow, FeedbackRow.turn_id == TurnRow.turn_id)
        judged = joined.where(or_(ReviewRow.decision.is_not(None), FeedbackRow.label.is_not(None)))
        with self._store.reading() as session:
            return [
                _reviewed(session, *judgement) for judgement in session.execute(judged.order_by(TurnRow.number)).all()
            ]

    def gaps(self, since: datetime) -> list[Gap]:
        """What nothing answered since a moment, and nothing that was written since, oldest first."""
        whole = TurnRow.turn["standalone_query"].as_string()
        asked = select(GapRow, whole).join(TurnRow, TurnRow.turn_id == GapRow.turn_id)
        open_ = asked.where(GapRow.at >= since, GapRow.settled.is_(None)).order_by(GapRow.number)
        with self._store.reading() as session:
            rows = session.execute(open_).all()
        return [
            Gap(row.number, row.at, question, row.question, row.product_id, row.intent, row.turn_id)
            for row, question in rows
        ]

    def settle(self, gaps: Sequence[Gap], evidence_id: str) -> None:
        """Say that a written fact answers these from now on."""
        with self._store.writing() as session:
            written = update(GapRow).where(GapRow.number.in_([gap.number for gap in gaps]))
            session.execute(written.values(settled=self._clock.now(), settled_by=evidence_id))

    def sign(self, evidence_id: str, by: str) -> None:
        """Say who wrote a fact."""
        with self._store.writing() as session:
            session.add(FactRow(evidence_id=evidence_id, by=by))

    def writers(self) -> dict[str, str]:
        """Who wrote which fact, by its id, as far as they said."""
        with self._store.reading() as session:
            return {row.evidence_id: row.by for row in session.scalars(select(FactRow))}

    def withdraw(self, evidence_id: str) -> None:
        """Say that a written fact is gone: nothing answers any more what it did."""
        with self._store.writing() as session:
            session.execute(delete(FactRow).where(FactRow.evidence_id == evidence_id))
            left = update(GapRow).where(GapRow.settled_by == evidence_id)
            session.execute(left.values(settled=None, settled_by=None))

    def engagement(self, since: datetime) -> list[Engagement]:
        """What became of the turns since a moment, oldest first."""
        opened = select(OpenedRow.turn_id).distinct()
        asked = select(TurnRow, FeedbackRow.thumb, TurnRow.turn_id.in_(opened))
        joined = asked.outerjoin(FeedbackRow, FeedbackRow.turn_id == TurnRow.turn_id).where(TurnRow.at >= since)
        with self._store.reading() as session:
            rows = session.execute(joined.order_by(TurnRow.number)).all()
        last = {row.thread_id: row.turn_id for row, _, _ in rows}
        return [_engagement(row, thumb, last[row.thread_id] != row.turn_id, seen) for row, thumb, seen in rows]

    def _write(self, session: Session, turn_id: str, by: str, said: Worded) -> None:
        citations = [one.model_dump(mode="json") for one in said.citations]
        told = {"turn_id": turn_id, "by": by, "text": masked(said.text), "citations": citations}
        session.add(MessageRow(**told, at=self._clock.now()))
        of_generation = {one.evidence_id: one.generation for one in said.citations}
        for source in said.sources:
            keep_source(session, turn_id, source, of_generation[source.evidence_id])


def _messages(session: Session, turns: Select[str] | Sequence[str]) -> list[StaffMessage]:
    written = select(MessageRow).where(MessageRow.turn_id.in_(turns)).order_by(MessageRow.number)
    return [message_in(row) for row in session.scalars(written)]


def _reviewed(session: Session, row: TurnRow, decision: str | None, label: str | None) -> Reviewed:
    earlier = select(TurnRow).where(TurnRow.thread_id == row.thread_id, TurnRow.number < row.number)
    return Reviewed(
        row=audit_row(session, row),
        before=tuple(Turn.model_validate(one.turn) for one in session.scalars(earlier.order_by(TurnRow.number))),
        decision=decision,
        label=label,
        messages=tuple(_messages(session, [row.turn_id])),
    )


def _ticket(session: Session, row: TicketRow) -> Ticket:
    of_turn = select(TurnRow.thread_id).where(TurnRow.turn_id == row.turn_id).scalar_subquery()
    turns = session.scalars(select(TurnRow).where(TurnRow.thread_id == of_turn).order_by(TurnRow.number)).all()
    return Ticket(
        ticket_id=row.ticket_id,
        at=row.at,
        reason=row.reason,
        team=row.team,
        summary=row.summary,
        turn_id=row.turn_id,
        conversation=tuple(Turn.model_validate(one.turn) for one in turns),
        messages=tuple(_messages(session, select(TurnRow.turn_id).where(TurnRow.thread_id == of_turn))),
        closed=row.closed,
    )


def _engagement(row: TurnRow, thumb: str | None, followed: bool, opened: bool) -> Engagement:  # noqa: FBT001 - a row's
    turn = Turn.model_validate(row.turn)
    return Engagement(
        at=row.at,
        thread_id=row.thread_id,
        outcome=turn.outcome,
        confidence=turn.confidence.score,
        ms=turn.total_ms,
        cached_share=turn.usage.cached_share if turn.usage.prompt_tokens else None,
        followed=followed,
        opened=opened,
        thumb=thumb,
        variant=turn.variant,
    )
