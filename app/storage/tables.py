"""The tables of the records, as SQLAlchemy knows them; `migrations` makes them, and brings older files to them.

What belongs to a turn goes with it, and a turn with its conversation.
"""

from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from sqlalchemy import JSON, Dialect, ForeignKey, ForeignKeyConstraint, Index, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

Thumb = Literal["up", "down"]


class Moment(TypeDecorator[datetime]):
    """An aware moment, kept as ISO text in UTC, which sorts as time does."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """As it is kept."""
        del dialect
        return None if value is None else value.astimezone(UTC).isoformat()

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """As it is read."""
        del dialect
        return None if value is None else datetime.fromisoformat(value)


class Table(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map: ClassVar = {datetime: Moment, dict[str, Any]: JSON, list[Any]: JSON, Thumb: String}


def _of_turn() -> Mapped[str]:
    return mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), index=True)


class ThreadRow(Table):
    """A conversation, and whose it is."""

    __tablename__ = "threads"

    thread_id: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(index=True)
    at: Mapped[datetime]
    name: Mapped[str | None]
    """What its owner calls it; None for its first question."""
    variant: Mapped[str | None]
    """The variant of the settings that answers it; None for the settings as they are."""


class TurnRow(Table):
    """A turn as it was answered."""

    __tablename__ = "turns"
    __table_args__ = (Index("turns_by_thread", "thread_id", "number"),)

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    turn_id: Mapped[str] = mapped_column(unique=True)
    thread_id: Mapped[str] = mapped_column(ForeignKey("threads.thread_id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(index=True)
    query: Mapped[str]
    outcome: Mapped[str]
    turn: Mapped[dict[str, Any]]


class QuestionRow(Table):
    """A question until its turn is recorded; one that was interrupted stays, as `over`."""

    __tablename__ = "questions"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    turn_id: Mapped[str] = mapped_column(unique=True)
    thread_id: Mapped[str] = mapped_column(ForeignKey("threads.thread_id", ondelete="CASCADE"), index=True)
    at: Mapped[datetime]
    query: Mapped[str]
    after_turn: Mapped[str | None]
    over: Mapped[bool]


class SourceRow(Table):
    """A cited source, as it was in a generation of the index or a snapshot of live facts."""

    __tablename__ = "sources"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    generation: Mapped[str]
    evidence_id: Mapped[str]
    evidence: Mapped[dict[str, Any]]
    __table_args__ = (Index("sources_by_name", "evidence_id", "generation", unique=True),)


class CitationRow(Table):
    """Which turn cites which source."""

    __tablename__ = "citations"
    __table_args__ = (
        ForeignKeyConstraint(
            ["evidence_id", "generation"], ["sources.evidence_id", "sources.generation"], ondelete="CASCADE"
        ),
        Index("citations_by_source", "evidence_id", "generation"),
    )

    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), primary_key=True)
    generation: Mapped[str] = mapped_column(primary_key=True)
    evidence_id: Mapped[str] = mapped_column(primary_key=True)


class DroppedRow(Table):
    """A sentence that was drafted and not shown."""

    __tablename__ = "dropped"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    turn_id: Mapped[str] = _of_turn()
    sentence: Mapped[str]
    verdict: Mapped[dict[str, Any]]


class GapRow(Table):
    """A question, or a part of one, that nothing answers."""

    __tablename__ = "gaps"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    turn_id: Mapped[str] = _of_turn()
    at: Mapped[datetime]
    question: Mapped[str]
    product_id: Mapped[str | None]
    intent: Mapped[str | None]
    settled: Mapped[datetime | None]
    """When somebody wrote what answers it; None while nothing does."""
    settled_by: Mapped[str | None]
    """The id of the written fact that does."""


class FeedbackRow(Table):
    """What a customer thought of a turn, and what the staff found it to be."""

    __tablename__ = "feedback"

    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime]
    thumb: Mapped[Thumb]
    reason: Mapped[str | None]
    comment: Mapped[str | None]
    label: Mapped[str | None]


class TicketRow(Table):
    """A hand-over to a person; its turn is recorded after it was opened."""

    __tablename__ = "tickets"

    ticket_id: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    reason: Mapped[str]
    team: Mapped[str]
    summary: Mapped[str]
    turn_id: Mapped[str | None] = mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), index=True)
    closed: Mapped[datetime | None]


class ReviewRow(Table):
    """A turn that a person of the shop should look at, until one has."""

    __tablename__ = "reviews"

    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime]
    issues: Mapped[list[Any]]
    decision: Mapped[str | None]
    decided: Mapped[datetime | None]
    by: Mapped[str | None]


class MessageRow(Table):
    """What a person of the shop wrote into a conversation, behind the turn that it is about."""

    __tablename__ = "messages"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    turn_id: Mapped[str] = _of_turn()
    at: Mapped[datetime]
    by: Mapped[str]
    text: Mapped[str]
    citations: Mapped[list[Any]]
    """What bears it out; nothing where it is a person's own word."""


class OpenedRow(Table):
    """A citation that a customer opened."""

    __tablename__ = "opened"

    turn_id: Mapped[str] = mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), primary_key=True)
    marker: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class FactRow(Table):
    """Who wrote a fact that was added to the index; its words lie there."""

    __tablename__ = "facts"

    evidence_id: Mapped[str] = mapped_column(primary_key=True)
    by: Mapped[str]


class DeliveryRow(Table):
    """An event that the shop's own system is told of; it goes with the turn or the ticket that it is about."""

    __tablename__ = "deliveries"

    id: Mapped[str] = mapped_column(primary_key=True)
    event: Mapped[str]
    turn_id: Mapped[str | None] = mapped_column(ForeignKey("turns.turn_id", ondelete="CASCADE"), unique=True)
    ticket_id: Mapped[str | None] = mapped_column(ForeignKey("tickets.ticket_id", ondelete="CASCADE"), unique=True)
    payload: Mapped[dict[str, Any]]
    made_at: Mapped[datetime]
    attempts: Mapped[int]
    again_at: Mapped[datetime | None] = mapped_column(index=True)
    """When it is tried next; None once it was delivered or given up."""
    claimed_until: Mapped[datetime | None]
    """Until when nobody but the process that is trying does so."""
    failure: Mapped[str | None]
    """Why the latest attempt failed."""
    delivered_at: Mapped[datetime | None]
