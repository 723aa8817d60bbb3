"""What the shop's system is to be told of is kept with what it is about, told once, and goes with it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.storage.outbox import CHANGEABLE, CLAIMED, Delivery, Outbox
from app.storage.records import Feedback, Records
from app.storage.tables import TicketRow
from graph.turn import Confidence, Turn
from tests.graph.fakes import StoppedClock

TurnMaker = Callable[..., Turn]
START = datetime(2026, 6, 1, 12, tzinfo=UTC)
TURN_S = 10
DOWN, UP = Feedback("down"), Feedback("up")


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(START)


@pytest.fixture
def records(tmp_path: Path, clock: StoppedClock) -> Iterator[Records]:
    with closing(Records(tmp_path / "records.sqlite", clock, "the tent desk", TURN_S, webhooks=True)) as store:
        yield store


@pytest.fixture
def outbox(records: Records, clock: StoppedClock) -> Outbox:
    return Outbox(records.store, clock)


def claimed(outbox: Outbox, clock: StoppedClock, later: timedelta = CHANGEABLE) -> Delivery | None:
    """What is due after some time."""
    clock.moment += later
    return outbox.claim()


def test_a_thumb_down_on_a_sure_answer_is_told(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker
) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", Feedback("down", "It is not right", "It weighs 2.1 kg"))
    told = claimed(outbox, clock)
    assert told is not None
    assert told.payload == {
        "type": "feedback.hallucination",
        "timestamp": START.isoformat(),
        "data": {
            "turn_id": "turn1",
            "thread_id": "t1",
            "question": "How heavy is the Kestrel 2?",
            "answer": "The Kestrel 2 weighs 1.9 kg [1].",
            "confidence": 0.93,
            "reason": "It is not right",
            "comment": "It weighs 2.1 kg",
        },
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": Confidence(score=0.6, label="medium")},
        {"outcome": "no_answer"},
        {"outcome": "ambiguous", "citations": [], "answer": "Which one?"},
    ],
    ids=["not sure", "no answer", "a question back"],
)
def test_a_thumb_down_on_what_was_not_sure_or_stated_nothing_is_not_told(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker, changes: dict[str, object]
) -> None:
    records.record(a_turn(**changes), [], [])
    records.record_feedback("turn1", DOWN)
    assert claimed(outbox, clock) is None


def test_a_customer_has_a_minute_to_say_why(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker
) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", DOWN)
    clock.moment += CHANGEABLE / 2
    records.record_feedback("turn1", Feedback("down", "It is not right"))
    assert claimed(outbox, clock, CHANGEABLE / 2) is None
    told = claimed(outbox, clock, CHANGEABLE / 2)
    assert told is not None
    assert told.payload["data"]["reason"] == "It is not right"


@pytest.mark.parametrize("said", [UP, None])
def test_a_thumb_that_is_taken_back_is_not_told(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker, said: Feedback | None
) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", DOWN)
    records.record_feedback("turn1", said)
    assert claimed(outbox, clock) is None


def test_the_same_turn_is_told_of_once(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker
) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", DOWN)
    records.record_feedback("turn1", DOWN)
    told = claimed(outbox, clock)
    assert told is not None
    outbox.delivered(told)
    for said in (UP, DOWN):
        records.record_feedback("turn1", said)
        assert claimed(outbox, clock) is None


def test_what_was_tried_is_not_changed_under_its_id(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker
) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", DOWN)
    first = claimed(outbox, clock)
    assert first is not None
    outbox.failed(first, "status 500", timedelta(0))
    records.record_feedback("turn1", Feedback("down", "It is not right"))
    again = outbox.claim()
    assert again is not None
    assert (again.id, again.payload) == (first.id, first.payload)


def test_a_ticket_is_told_with_its_turn(records: Records, outbox: Outbox, a_turn: TurnMaker) -> None:
    ticket = records.open_ticket("asked for a person", "Asked: a tent")
    assert outbox.claim() is None
    records.record(a_turn(outcome="handoff", escalation=ticket), [], [])
    told = outbox.claim()
    assert told is not None
    assert told.payload["type"] == "ticket.opened"
    assert told.payload["data"] == {
        "ticket_id": ticket.ticket_id,
        "reason": "asked for a person",
        "team": "the tent desk",
        "summary": "Asked: a tent",
        "turn_id": "turn1",
        "thread_id": "t1",
    }


def test_a_ticket_whose_turn_never_ends_is_told_alone(records: Records, outbox: Outbox, clock: StoppedClock) -> None:
    ticket = records.open_ticket("asked for a person", "Asked: a tent")
    told = claimed(outbox, clock, timedelta(seconds=TURN_S))
    assert told is not None
    assert (told.payload["data"]["ticket_id"], told.payload["data"]["turn_id"]) == (ticket.ticket_id, None)


def test_nothing_personal_is_told(records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker) -> None:
    mail = "jane@shop.example"
    ticket = records.open_ticket("asked", f"Asked: mail {mail}")
    records.record(a_turn(query=f"Is it light? Mail {mail}", answer=f"I cannot mail {mail}", escalation=ticket), [], [])
    records.record_feedback("turn1", Feedback("down", comment=f"Nobody wrote to {mail}"))
    for _ in range(2):
        told = claimed(outbox, clock)
        assert told is not None
        assert mail not in str(told.payload)
        assert "[e-mail address]" in str(told.payload)


def test_without_a_receiver_nothing_is_kept_for_one(tmp_path: Path, clock: StoppedClock, a_turn: TurnMaker) -> None:
    with closing(Records(tmp_path / "records.sqlite", clock, "the tent desk", TURN_S)) as records:
        ticket = records.open_ticket("asked", "s")
        records.record(a_turn(escalation=ticket), [], [])
        records.record_feedback("turn1", DOWN)
        assert claimed(Outbox(records.store, clock), clock) is None


def test_neither_feedback_nor_ticket_is_kept_without_its_delivery(records: Records, a_turn: TurnMaker) -> None:
    records.record(a_turn(), [], [])
    with records.store.writing() as session:
        refuse = "CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END"
        session.connection().exec_driver_sql(refuse)
    with pytest.raises(IntegrityError):
        records.record_feedback("turn1", DOWN)
    with pytest.raises(IntegrityError):
        records.open_ticket("asked", "s")
    assert records.feedback("t1") == {}
    with records.store.reading() as session:
        assert session.scalar(select(func.count()).select_from(TicketRow)) == 0


def test_of_two_who_send_one_gets_it_until_its_claim_is_over(
    records: Records, outbox: Outbox, clock: StoppedClock, tmp_path: Path
) -> None:
    records.open_ticket("asked", "s")
    clock.moment += timedelta(seconds=TURN_S)
    with closing(Records(tmp_path / "records.sqlite", clock, "team", TURN_S)) as beside:
        other = Outbox(beside.store, clock)
        first = outbox.claim()
        assert first is not None
        assert other.claim() is None
        second = claimed(other, clock, CLAIMED)
        assert second is not None
        assert (second.id, second.attempts) == (first.id, 2)
        other.delivered(second)
        outbox.failed(first, "it was too late to tell", timedelta(0))
    assert outbox.failures() == []
    assert claimed(outbox, clock, timedelta(days=9)) is None


def test_what_goes_meanwhile_needs_nobody_to_be_told(
    records: Records, outbox: Outbox, clock: StoppedClock, a_turn: TurnMaker
) -> None:
    records.record(a_turn(), [], [])
    records.record_feedback("turn1", DOWN)
    told = claimed(outbox, clock)
    assert told is not None
    records.record_feedback("turn1", UP)
    outbox.failed(told, "status 500", timedelta(0))
    assert outbox.claim() is None
