"""The records: every turn, the sources it cited, what was dropped, gaps, tickets and feedback, in one SQLite file."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, ScalarSelect, Select, SQLColumnExpression, delete, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import Session

from app.access import LOCAL
from app.storage.databases import open_records
from app.storage.masking import masked, without_personal
from app.storage.outbox import complete_ticket, keep_feedback, keep_ticket
from app.storage.tables import (
    CitationRow,
    DroppedRow,
    FeedbackRow,
    GapRow,
    MessageRow,
    OpenedRow,
    QuestionRow,
    ReviewRow,
    SourceRow,
    ThreadRow,
    Thumb,
    TicketRow,
    TurnRow,
)
from graph.draft import Dropped
from graph.live import SNAPSHOT
from graph.parts import Clock
from graph.turn import Citation, Escalation, Turn
from ingestion.evidence import Evidence

_EVIDENCE = TypeAdapter(Evidence)
"""Reads also what a version with other fields has stored."""


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """One conversation in a list of conversations.

    Attributes:
        title: What its owner calls it, else its first question.
        updated: When its latest turn was over, UTC.
        turns: How many turns it has.
    """

    thread_id: str
    title: str
    updated: datetime
    turns: int


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A question that was never answered: its process was killed, its turn failed, or whoever asked left.

    Attributes:
        after_turn: The turn of its conversation before it; None for the first.
    """

    turn_id: str
    query: str
    after_turn: str | None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a customer thought of a turn.

    Attributes:
        reason: Why, as one of those that the page offers.
        comment: Why, in their own words.
    """

    thumb: Thumb
    reason: str | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class StaffMessage:
    """What a person of the shop wrote into a conversation.

    Attributes:
        turn_id: The turn that it is about.
        by: Who wrote it.
        text: Their words, with a marker `[n]` behind what a source bears out.
        citations: What stands behind the markers.
    """

    turn_id: str
    at: datetime
    by: str
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A turn as it was recorded.

    Attributes:
        at: When it was over, UTC.
        turn: The turn, with nothing personal in it.
        sources: What it cited, in full.
        dropped: The sentences that were drafted and not shown.
        feedback: What the user thought of it; None where they did not say.
    """

    at: datetime
    turn: Turn
    sources: tuple[Evidence, ...]
    dropped: tuple[Dropped, ...]
    feedback: Feedback | None


class SystemClock:
    """The machine's own time, by which records are dated unless somebody brings another clock."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)


class Records:
    """The store of turns; the graph's `Recorder` and `Desk`. One object serves all threads of a process.

    Attributes:
        store: The database.
    """

    def __init__(self, path: Path, clock: Clock, team: str, turn_limit_s: float, *, webhooks: bool = False) -> None:
        """Open or create the file.

        Args:
            path: The file.
            clock: What "now" is.
            team: Who gets tickets that name nobody.
            turn_limit_s: Seconds after which a question without a turn has been interrupted, whoever was answering it.
            webhooks: Whether the shop's own system is told of tickets and likely hallucinations.

        Raises:
            UnwritableRecordsError: The folder or file cannot be written, or is no database.
        """
        self._clock, self._team, self._turn_limit = clock, team, timedelta(seconds=turn_limit_s)
        self._webhooks = webhooks
        self.store = open_records(path)

    def claim(self, thread_id: str, owner: str, variant: str | None = None) -> ThreadRow | None:
        """Bind a conversation that is nobody's to its owner, and to a variant of the settings.

        Returns:
            The conversation, with what it was bound to when it began; None when it is somebody else's.
        """
        with self.store.writing() as session:
            self._claim(session, thread_id, owner, variant)
            return session.scalar(select(ThreadRow).filter_by(thread_id=thread_id, owner=owner))

    def _claim(self, session: Session, thread_id: str, owner: str, variant: str | None = None) -> None:
        begun = insert(ThreadRow).values(thread_id=thread_id, owner=owner, at=self._clock.now(), variant=variant)
        session.execute(begun.on_conflict_do_nothing())

    @contextmanager
    def answering(self, turn_id: str, thread_id: str, query: str) -> Iterator[None]:
        """Keep a question, with nothing personal in it, while it is answered; without a turn it was interrupted."""
        with self.store.writing() as session:
            of_thread = select(TurnRow.turn_id).where(TurnRow.thread_id == thread_id)
            before = session.scalar(of_thread.order_by(TurnRow.number.desc()).limit(1))
            asked = {"turn_id": turn_id, "thread_id": thread_id, "query": masked(query), "after_turn": before}
            session.add(QuestionRow(**asked, at=self._clock.now(), over=False))
        try:
            yield
        finally:
            with self.store.writing() as session:
                session.execute(update(QuestionRow).where(QuestionRow.turn_id == turn_id).values(over=True))

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Store a turn, the full text of what it cites, and the sentences the verifier dropped.

        A turn that runs again, as a graph does from an earlier checkpoint, takes the place of what it was.
        """
        at = self._clock.now()
        turn, dropped = without_personal((turn, tuple(dropped)))
        key = {"turn_id": turn.turn_id}
        with self.store.writing() as session:
            self._claim(session, turn.thread_id, LOCAL)
            for row in (QuestionRow, TurnRow):
                session.execute(delete(row).filter_by(**key))
            told = {"thread_id": turn.thread_id, "query": turn.query, "outcome": turn.outcome}
            session.add(TurnRow(**key, **told, at=at, turn=turn.model_dump(mode="json")))
            session.flush()
            for source in sources:
                for name in _generations(turn, source.evidence_id):
                    keep_source(session, turn.turn_id, source, name)
            session.add_all(
                DroppedRow(**key, sentence=one.text, verdict=one.model_dump(mode="json", exclude={"text"}))
                for one in dropped
            )
            intent = next(iter(turn.intent.selected), None)
            session.add_all(
                GapRow(**key, at=at, question=question, product_id=product_id, intent=intent)
                for question, product_id in _gaps(turn)
            )
            if turn.review.required:
                session.add(ReviewRow(**key, at=at, issues=turn.review.issues))
            if turn.escalation is not None:
                opened = update(TicketRow).where(TicketRow.ticket_id == turn.escalation.ticket_id)
                session.execute(opened.values(**key))
                complete_ticket(session, turn, turn.escalation.ticket_id, at)

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        """Open a ticket for a team, that of the shop where none is named, and say where it went."""
        number = f"T-{uuid.uuid4().hex[:16]}"
        ticket = Escalation(reason=reason, ticket_id=number, to=team or self._team, summary=masked(summary))
        told = {"ticket_id": number, "reason": reason, "team": ticket.to, "summary": ticket.summary}
        row = TicketRow(**told, at=self._clock.now())
        with self.store.writing() as session:
            session.add(row)
            if self._webhooks:
                session.flush()
                keep_ticket(session, row, self._turn_limit)
        return ticket

    def record_feedback(self, turn_id: str, said: Feedback | None, owner: str = LOCAL) -> None:
        """Keep what the user thought of a turn; None takes it back. Of a turn of somebody else's nothing is kept."""
        with self.store.writing() as session:
            turn = session.scalar(_turns_of(owner).where(TurnRow.turn_id == turn_id))
            if turn is None:
                return
            session.execute(delete(FeedbackRow).where(FeedbackRow.turn_id == turn_id))
            at, row = self._clock.now(), None
            if said is not None:
                comment = masked(said.comment) if said.comment else None
                row = FeedbackRow(turn_id=turn_id, at=at, thumb=said.thumb, reason=said.reason, comment=comment)
                session.add(row)
            if self._webhooks:
                keep_feedback(session, Turn.model_validate(turn.turn), row, at)

    def feedback(self, thread_id: str, owner: str = LOCAL) -> dict[str, Feedback]:
        """What the user thought of a conversation's turns, by turn id; nothing of somebody else's."""
        with self.store.reading() as session:
            turns = _turns_of(owner).where(TurnRow.thread_id == thread_id).with_only_columns(TurnRow.turn_id)
            rows = session.scalars(select(FeedbackRow).where(FeedbackRow.turn_id.in_(turns))).all()
        return {row.turn_id: said_in(row) for row in rows}

    def record_opening(self, turn_id: str, marker: int, owner: str = LOCAL) -> None:
        """Keep that a customer opened a source of a turn of theirs."""
        with self.store.writing() as session:
            if session.scalar(_turns_of(owner).where(TurnRow.turn_id == turn_id)) is not None:
                opened = insert(OpenedRow).values(turn_id=turn_id, marker=marker, at=self._clock.now())
                session.execute(opened.on_conflict_do_nothing())

    def messages(self, thread_id: str, owner: str = LOCAL) -> list[StaffMessage]:
        """What people of the shop wrote into a conversation, oldest first; nothing into somebody else's."""
        with self.store.reading() as session:
            turns = _turns_of(owner).where(TurnRow.thread_id == thread_id).with_only_columns(TurnRow.turn_id)
            written = select(MessageRow).where(MessageRow.turn_id.in_(turns)).order_by(MessageRow.number)
            rows = session.scalars(written).all()
        return [message_in(row) for row in rows]

    def threads(self, owner: str = LOCAL, limit: int = 50, holding: str = "") -> list[ThreadSummary]:
        """An owner's conversations, latest first.

        Args:
            owner: Whose.
            limit: Most of them.
            holding: Words that must stand in its name, a question or an answer.
        """
        of_thread = TurnRow.thread_id == ThreadRow.thread_id
        count, latest, last = (
            select(what).where(of_thread).scalar_subquery()
            for what in (func.count(), func.max(TurnRow.at), func.max(TurnRow.number))
        )
        first = select(TurnRow.query).where(of_thread).order_by(TurnRow.number).limit(1).scalar_subquery()
        # A conversation whose only question was interrupted is not lost either.
        unanswered = (QuestionRow.thread_id == ThreadRow.thread_id, self._over_by_now())
        asked = select(QuestionRow.query).where(*unanswered).order_by(QuestionRow.at.desc()).limit(1).scalar_subquery()
        when = select(func.max(QuestionRow.at)).where(*unanswered).scalar_subquery()
        title, updated = func.coalesce(ThreadRow.name, first, asked), func.coalesce(latest, when)
        listed = select(ThreadRow.thread_id, title, updated, count).where(
            ThreadRow.owner == owner, updated.is_not(None)
        )
        if holding:
            said = select(TurnRow.number).where(
                of_thread, _holds(holding, TurnRow.query, TurnRow.turn["answer"].as_string())
            )
            listed = listed.where(or_(_holds(holding, ThreadRow.name), said.exists()))
        with self.store.reading() as session:
            rows = session.execute(listed.order_by(updated.desc(), last.desc()).limit(limit)).all()
        return [ThreadSummary(*row) for row in rows]

    def name_thread(self, thread_id: str, name: str, owner: str = LOCAL) -> None:
        """Give a conversation of an owner's a name; an empty one gives it back its first question."""
        named = update(ThreadRow).where(ThreadRow.thread_id == thread_id, ThreadRow.owner == owner)
        with self.store.writing() as session:
            session.execute(named.values(name=masked(name.strip()) or None))

    def history(self, thread_id: str, owner: str = LOCAL) -> list[Turn]:
        """The turns of a conversation, oldest first; empty when there is none, or it is somebody else's."""
        with self.store.reading() as session:
            turns = _turns_of(owner).where(TurnRow.thread_id == thread_id).order_by(TurnRow.number)
            return [Turn.model_validate(row.turn) for row in session.scalars(turns)]

    def audited(self, name: str) -> list[AuditRow]:
        """The rows of a conversation or of one turn, oldest first, whoever held it: for the people of the shop.

        Args:
            name: A thread's id or a turn's.
        """
        named = or_(TurnRow.thread_id == name, TurnRow.turn_id == name)
        with self.store.reading() as session:
            turns = session.scalars(select(TurnRow).where(named).order_by(TurnRow.number)).all()
            return [audit_row(session, turn) for turn in turns]

    def interrupted(self, thread_id: str, owner: str = LOCAL) -> list[Interrupted]:
        """The questions of a conversation that were never answered, oldest first; none of somebody else's."""
        return self._unanswered(thread_id, owner, self._over_by_now())

    def being_answered(self, thread_id: str, owner: str = LOCAL) -> list[Interrupted]:
        """The questions of a conversation that are answered right now, or will have been interrupted; as above."""
        return self._unanswered(thread_id, owner, ~self._over_by_now())

    def _unanswered(self, thread_id: str, owner: str, when: ColumnElement[bool]) -> list[Interrupted]:
        asked = select(QuestionRow).join(ThreadRow, QuestionRow.thread_id == ThreadRow.thread_id)
        own = asked.where(ThreadRow.owner == owner, QuestionRow.thread_id == thread_id, when)
        with self.store.reading() as session:
            rows = session.scalars(own.order_by(QuestionRow.number)).all()
        return [Interrupted(row.turn_id, row.query, row.after_turn) for row in rows]

    def holds(self, turn_id: str) -> bool:
        """Whether a turn is recorded."""
        with self.store.reading() as session:
            return session.scalar(select(TurnRow.number).where(TurnRow.turn_id == turn_id)) is not None

    def source(self, evidence_id: str, generation: str, owner: str | None = None) -> Evidence | None:
        """A cited source as it was when it was cited, whatever became of its generation.

        Args:
            evidence_id: As it stands in a citation.
            generation: The citation's generation.
            owner: Whose conversations must cite it; None for anybody's.
        """
        named = {"evidence_id": evidence_id, "generation": generation}
        kept = select(SourceRow.evidence).filter_by(**named)
        if owner is not None:
            cited = select(CitationRow.turn_id).filter_by(**named)
            kept = kept.where(_turns_of(owner).where(TurnRow.turn_id.in_(cited)).exists())
        with self.store.reading() as session:
            found = session.scalar(kept)
        return None if found is None else _EVIDENCE.validate_python(found)

    def latest_generation(self, evidence_id: str) -> str | None:
        """The generation in which an evidence was last cited."""
        cited = select(SourceRow.generation).where(SourceRow.evidence_id == evidence_id)
        with self.store.reading() as session:
            return session.scalar(cited.order_by(SourceRow.number.desc()).limit(1))

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def _over_by_now(self) -> ColumnElement[bool]:
        """What was asked before this moment is answered by now, or never; a process that was killed cannot say so."""
        return or_(QuestionRow.over, QuestionRow.at < self._clock.now() - self._turn_limit)


def keep_source(session: Session, turn_id: str, source: Evidence, generation: str) -> None:
    """Keep what a turn cites as it is in a generation."""
    named = {"generation": generation, "evidence_id": source.evidence_id}
    kept = insert(SourceRow).values(**named, evidence=_EVIDENCE.dump_python(source, mode="json"))
    # A live fact's id has another text under each snapshot; the latest row is the one cited last.
    latest = {"evidence": kept.excluded.evidence, "number": _next_number()}
    session.execute(kept.on_conflict_do_update(index_elements=list(named), set_=latest))
    session.execute(insert(CitationRow).values(turn_id=turn_id, **named).on_conflict_do_nothing())


def audit_row(session: Session, row: TurnRow) -> AuditRow:
    """A turn with all that was recorded of it."""
    cited = select(SourceRow).join(
        CitationRow,
        (CitationRow.evidence_id == SourceRow.evidence_id) & (CitationRow.generation == SourceRow.generation),
    )
    sources = session.scalars(cited.where(CitationRow.turn_id == row.turn_id)).all()
    of_turn = select(DroppedRow).where(DroppedRow.turn_id == row.turn_id)
    dropped = session.scalars(of_turn.order_by(DroppedRow.number)).all()
    feedback = session.get(FeedbackRow, row.turn_id)
    return AuditRow(
        at=row.at,
        turn=Turn.model_validate(row.turn),
        sources=tuple(_EVIDENCE.validate_python(one.evidence) for one in sources),
        dropped=tuple(Dropped.model_validate({"text": one.sentence, **one.verdict}) for one in dropped),
        feedback=None if feedback is None else said_in(feedback),
    )


def said_in(row: FeedbackRow) -> Feedback:
    """What a customer said."""
    return Feedback(row.thumb, row.reason, row.comment)


def message_in(row: MessageRow) -> StaffMessage:
    """What a person of the shop wrote."""
    return StaffMessage(row.turn_id, row.at, row.by, row.text, tuple(map(Citation.model_validate, row.citations)))


def _turns_of(owner: str) -> Select[TurnRow]:
    """The turns of an owner's conversations."""
    return select(TurnRow).join(ThreadRow, TurnRow.thread_id == ThreadRow.thread_id).where(ThreadRow.owner == owner)


def _next_number() -> ScalarSelect[int]:
    return select(func.max(SourceRow.number) + 1).scalar_subquery()


def _holds(words: str, *told: SQLColumnExpression[Any]) -> ColumnElement[bool]:
    """Whether one of some texts holds words."""
    return or_(*(one.icontains(words, autoescape=True) for one in told))


def _gaps(turn: Turn) -> list[tuple[str, str | None]]:
    """What a turn leaves unanswered: the whole question, or the parts it names, with the products in question."""
    about: list[str | None] = [product.id for product in turn.products] or [None]
    if turn.outcome == "no_answer":
        return [(turn.standalone_query, product_id) for product_id in about]
    # Which of several products a part is missing for is said in the answer alone.
    return [(part, about[0] if len(about) == 1 else None) for part in turn.missing]


def _generations(turn: Turn, evidence_id: str) -> set[str]:
    """Under which names a turn's citations look an evidence up: the turn's generation, or a snapshot of live facts."""
    return {
        citation.generation if citation.generation.startswith(SNAPSHOT) else turn.generation
        for citation in turn.citations
        if evidence_id == citation.evidence_id or (citation.derived and evidence_id in citation.derived.of)
    }
