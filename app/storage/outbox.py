"""The outbox: what the shop's own system is to be told of, written together with what it is about.

Rows are written in the transaction of the feedback or the ticket, so that neither is kept without the other (the
pattern of the transactional outbox). Processes that share the file claim a row before they send it.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import delete, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import Session

from app.storage.databases import Store
from app.storage.tables import DeliveryRow, FeedbackRow, TicketRow
from graph.parts import Clock
from graph.turn import STATING, Turn

Event = Literal["feedback.hallucination", "ticket.opened", "webhook.test"]
CHANGEABLE = timedelta(minutes=1)
"""For how long a customer may still take a thumb back, or say why, before anybody is told."""
CLAIMED = timedelta(seconds=60)
"""For how long a process may try; one that was killed holds nothing up for longer."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way.

    Attributes:
        id: The same in all attempts, by which a receiver knows what it has seen.
        payload: What is sent.
        attempts: How often it was tried, the present attempt included.
        again_at: When it is tried next; None once it was delivered or given up.
        claimed_until: When the claim of whoever tries is over.
        failure: Why the latest attempt failed.
    """

    id: str
    event: str
    payload: dict[str, Any]
    made_at: datetime
    attempts: int
    again_at: datetime | None
    claimed_until: datetime | None
    failure: str | None


def new_id() -> str:
    """The id of an event."""
    return f"msg_{uuid.uuid4().hex}"


def payload_of(event: Event, at: datetime, data: dict[str, Any]) -> dict[str, Any]:
    """What is sent of an event, in the form that the Standard Webhooks specification recommends."""
    return {"type": event, "timestamp": at.isoformat(), "data": data}


def keep_feedback(session: Session, turn: Turn, said: FeedbackRow | None, at: datetime) -> None:
    """Keep that a sure answer got a thumb down, which is likely a hallucination; take it back with the thumb.

    Until it is first tried, what the customer adds is told with it; a second thumb down is the same event.
    """
    sure = turn.outcome in STATING and turn.citations and turn.confidence.label == "high"
    if said is None or said.thumb != "down" or not sure:
        waiting = delete(DeliveryRow).where(DeliveryRow.turn_id == turn.turn_id, DeliveryRow.delivered_at.is_(None))
        session.execute(waiting)
        return
    data = {
        "turn_id": turn.turn_id,
        "thread_id": turn.thread_id,
        "question": turn.query,
        "answer": turn.answer,
        "confidence": turn.confidence.score,
        "reason": said.reason,
        "comment": said.comment,
    }
    row = insert(DeliveryRow).values(**_values("feedback.hallucination", at, data, CHANGEABLE), turn_id=turn.turn_id)
    changed = {"payload": row.excluded.payload, "again_at": row.excluded.again_at}
    untried = DeliveryRow.attempts == 0
    session.execute(row.on_conflict_do_update(index_elements=["turn_id"], set_=changed, where=untried))


def keep_ticket(session: Session, ticket: TicketRow, wait: timedelta) -> None:
    """Keep that a ticket was opened.

    Args:
        session: Where it is written, too.
        ticket: The ticket.
        wait: For how long its turn, which is not over, may still be recorded and told with it.
    """
    told = {name: getattr(ticket, name) for name in ("ticket_id", "reason", "team", "summary")}
    values = _values("ticket.opened", ticket.at, {**told, "turn_id": None, "thread_id": None}, wait)
    session.execute(insert(DeliveryRow).values(**values, ticket_id=ticket.ticket_id))


def complete_ticket(session: Session, turn: Turn, ticket_id: str, at: datetime) -> None:
    """Name the turn that opened a ticket, where nobody has been told without it; nothing is waited for any more."""
    untried = select(DeliveryRow).where(DeliveryRow.ticket_id == ticket_id, DeliveryRow.attempts == 0)
    if (row := session.scalar(untried)) is not None:
        named = {"turn_id": turn.turn_id, "thread_id": turn.thread_id}
        row.payload = {**row.payload, "data": {**row.payload["data"], **named}}
        row.again_at = at


def _values(event: Event, at: datetime, data: dict[str, Any], wait: timedelta) -> dict[str, Any]:
    payload = payload_of(event, at, data)
    return {"id": new_id(), "event": event, "payload": payload, "made_at": at, "attempts": 0, "again_at": at + wait}


class Outbox:
    """The outbox as whoever sends sees it.

    Args:
        store: The database.
        clock: What "now" is.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def claim(self) -> Delivery | None:
        """Take the event that has been due for longest, and that nobody else is trying; None where none is."""
        now = self._clock.now()
        free = or_(DeliveryRow.claimed_until.is_(None), DeliveryRow.claimed_until <= now)
        due = select(DeliveryRow.id).where(DeliveryRow.again_at <= now, free).order_by(DeliveryRow.again_at).limit(1)
        taken = {"claimed_until": now + CLAIMED, "attempts": DeliveryRow.attempts + 1}
        claimed = update(DeliveryRow).where(DeliveryRow.id == due.scalar_subquery()).values(**taken)
        with self._store.writing() as session:
            row = session.scalar(claimed.returning(DeliveryRow))
            return None if row is None else _delivery(row)

    def delivered(self, delivery: Delivery) -> None:
        """It was taken."""
        now = self._clock.now()
        self._settle(delivery, {"again_at": None, "failure": None, "delivered_at": now})

    def failed(self, delivery: Delivery, failure: str, again: timedelta | None) -> None:
        """It was not taken.

        Args:
            delivery: The claimed event.
            failure: Why, in a few words.
            again: After which time it is tried again; None gives it up.
        """
        again_at = None if again is None else self._clock.now() + again
        self._settle(delivery, {"again_at": again_at, "failure": failure})

    def failures(self) -> list[Delivery]:
        """What was tried and not taken so far, oldest first: it is tried again, or was given up."""
        wanted = select(DeliveryRow).where(DeliveryRow.failure.is_not(None)).order_by(DeliveryRow.made_at)
        with self._store.reading() as session:
            return [_delivery(row) for row in session.scalars(wanted)]

    def _settle(self, delivery: Delivery, came_of_it: dict[str, Any]) -> None:
        """Say what came of an attempt, unless its claim was over and another one goes on with it."""
        own = (DeliveryRow.id == delivery.id, DeliveryRow.claimed_until == delivery.claimed_until)
        with self._store.writing() as session:
            session.execute(update(DeliveryRow).where(*own).values(**came_of_it, claimed_until=None))


def _delivery(row: DeliveryRow) -> Delivery:
    return Delivery(
        id=row.id,
        event=row.event,
        payload=row.payload,
        made_at=row.made_at,
        attempts=row.attempts,
        again_at=row.again_at,
        claimed_until=row.claimed_until,
        failure=row.failure,
    )
