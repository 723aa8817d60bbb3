"""What people of the shop see of all conversations, and what they decide."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.storage.records import Feedback, Records
from app.storage.staff import StaffRecords, Worded
from graph.turn import Citation, Confidence, Review, Turn
from ingestion.evidence import Evidence
from tests.graph.fakes import StoppedClock

TurnMaker = Callable[..., Turn]
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
EVER = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(NOON)


@pytest.fixture
def records(tmp_path: Path, clock: StoppedClock) -> Iterator[Records]:
    """What customers leave."""
    store = Records(tmp_path / "records.sqlite", clock, "the tent desk", 10)
    yield store
    store.close()


@pytest.fixture
def staff(records: Records, clock: StoppedClock) -> StaffRecords:
    """What the shop's people see of it."""
    return StaffRecords(records.store, clock)


def to_review(a_turn: TurnMaker, turn_id: str) -> Turn:
    return a_turn(turn_id=turn_id, review=Review(required=True, issues=["a claim about health"]))


def test_what_waits_is_counted(records: Records, staff: StaffRecords, a_turn: TurnMaker) -> None:
    assert staff.counts() == {"reviews": 0, "tickets": 0, "feedback": 0}
    records.record(to_review(a_turn, "1"), [], [])
    records.open_ticket("asked for a person", "summary")
    records.record_feedback("1", Feedback("down"))
    assert staff.counts() == {"reviews": 1, "tickets": 1, "feedback": 1}


def test_a_review_is_decided_once_and_told_to_the_customer_under_its_source(
    records: Records, staff: StaffRecords, a_turn: TurnMaker, spec: Evidence, cite: Callable[..., Citation]
) -> None:
    records.claim("t1", "ann")
    records.record(to_review(a_turn, "1"), [], [])
    said = Worded("It weighs 1.9 kg [1].", (cite(spec, "Weight: 1.9 kg"),), (spec,))
    assert staff.decide("1", "edited", "Jo", said)
    assert not staff.decide("1", "rejected", "Kim", Worded("No.")), "of two the first decides"
    (message,) = records.messages("t1", "ann")
    assert (message.by, message.text, message.citations) == ("Jo", said.text, said.citations)
    assert records.messages("t1", "bob") == []
    assert records.source(spec.evidence_id, "g1", "ann") == spec
    assert staff.reviews() == []
    (decided,) = staff.reviews(decided=True)
    assert (decided.decision, decided.by, decided.issues) == ("edited", "Jo", ("a claim about health",))


def test_reviews_come_oldest_first(
    records: Records, staff: StaffRecords, a_turn: TurnMaker, clock: StoppedClock
) -> None:
    for turn_id, hours in (("late", 2), ("early", 1)):
        clock.moment = NOON + timedelta(hours=hours)
        records.record(to_review(a_turn, turn_id), [], [])
    assert [item.row.turn.turn_id for item in staff.reviews()] == ["early", "late"]


def test_a_ticket_brings_its_conversation_and_takes_a_reply_into_it(
    records: Records, staff: StaffRecords, a_turn: TurnMaker, clock: StoppedClock
) -> None:
    records.record(a_turn(turn_id="1"), [], [])
    opened = records.open_ticket("asked for a person", "Call 555 0123 4567 or jane@shop.example")
    records.record(a_turn(turn_id="2", outcome="handoff", escalation=opened), [], [])
    staff.reply("2", "Jo", "Write to jane@shop.example.")
    (ticket,) = staff.tickets()
    assert [turn.turn_id for turn in ticket.conversation] == ["1", "2"]
    assert (ticket.turn_id, ticket.team) == ("2", "the tent desk")
    assert "jane@" not in ticket.summary + ticket.messages[0].text, "nothing personal is kept"
    clock.moment += timedelta(hours=1)
    staff.close_ticket(ticket.ticket_id)
    assert staff.tickets() == []
    assert [one.closed for one in staff.tickets(closed=True)] == [clock.moment]


def test_a_ticket_of_a_turn_that_never_ended_still_waits(records: Records, staff: StaffRecords) -> None:
    records.open_ticket("asked for a person", "summary")
    (ticket,) = staff.tickets()
    assert (ticket.turn_id, ticket.conversation) == (None, ())


def test_the_surest_bad_answer_comes_first_and_gets_a_label(
    records: Records, staff: StaffRecords, a_turn: TurnMaker
) -> None:
    for turn_id, score in (("unsure", 0.4), ("sure", 0.97), ("liked", 0.99)):
        records.record(a_turn(turn_id=turn_id, confidence=Confidence(score=score, label="high")), [], [])
        records.record_feedback(turn_id, Feedback("up" if turn_id == "liked" else "down", "It is not right", ""))
    assert [one.row.turn.turn_id for one in staff.complaints(EVER)] == ["sure", "unsure"]
    staff.label("sure", "hallucination")
    assert [one.row.turn.turn_id for one in staff.complaints(EVER)] == ["unsure"]
    (labelled,) = staff.complaints(EVER, labelled=True)
    assert (labelled.row.turn.turn_id, labelled.label, labelled.said.reason) == (
        "sure",
        "hallucination",
        "It is not right",
    )


def test_the_surest_answer_that_a_customer_found_bad_comes_first_and_a_hand_over_is_no_answer(
    records: Records, staff: StaffRecords, a_turn: TurnMaker
) -> None:
    given = {
        "handed over": ("handoff", 1.0, Feedback("down", "It is not right")),
        "reasoned": ("clear", 0.5, Feedback("down", "It is not right")),
        "sure": ("clear", 0.9, Feedback("down")),
    }
    for turn_id, (outcome, score, said) in given.items():
        confidence = Confidence(score=score, label="low")
        records.record(a_turn(turn_id=turn_id, outcome=outcome, confidence=confidence), [], [])
        records.record_feedback(turn_id, said)
    assert [one.row.turn.turn_id for one in staff.complaints(EVER)] == ["sure", "reasoned", "handed over"]


def test_gaps_of_a_time_are_read(records: Records, staff: StaffRecords, a_turn: TurnMaker, clock: StoppedClock) -> None:
    for turn_id in ("old", "new"):
        records.record(a_turn(turn_id=turn_id, query=f"Is it {turn_id}?", outcome="no_answer"), [], [])
        clock.moment += timedelta(days=3)
    (gap,) = staff.gaps(NOON + timedelta(days=1))
    assert (gap.question, gap.part, gap.product_id, gap.intent, gap.turn_id) == (
        "Is it new?",
        "Is it new?",
        "kestrel-2",
        "product_spec",
        "new",
    )


def test_a_part_that_is_missing_is_told_with_the_whole_question(
    records: Records, staff: StaffRecords, a_turn: TurnMaker
) -> None:
    records.record(a_turn(query="Is it light or fireproof?", missing=["fireproof"]), [], [])
    assert [(gap.question, gap.part) for gap in staff.gaps(EVER)] == [("Is it light or fireproof?", "fireproof")]


def test_what_a_fact_filled_is_a_gap_again_once_it_is_withdrawn(
    records: Records, staff: StaffRecords, a_turn: TurnMaker
) -> None:
    for turn_id in ("1", "2"):
        records.record(a_turn(turn_id=turn_id, outcome="no_answer"), [], [])
    first, second = staff.gaps(EVER)
    staff.settle([first], "feature:staff-1")
    staff.settle([second], "feature:staff-2")
    assert staff.gaps(EVER) == []
    staff.sign("feature:staff-1", "Jo")
    assert staff.writers() == {"feature:staff-1": "Jo"}
    staff.withdraw("feature:staff-1")
    assert (staff.gaps(EVER), staff.writers()) == ([first], {})


def test_what_became_of_turns_is_told(records: Records, staff: StaffRecords, a_turn: TurnMaker) -> None:
    for turn_id in ("1", "2"):
        records.record(a_turn(turn_id=turn_id), [], [])
    records.record_feedback("2", Feedback("up"))
    records.record_opening("1", 1)
    records.record_opening("1", 1)
    records.record_opening("2", 1, "somebody else")
    first, second = staff.engagement(NOON)
    assert (first.followed, first.opened, first.thumb) == (True, True, None)
    assert (second.followed, second.opened, second.thumb) == (False, False, "up")
    assert (first.ms, first.thread_id, first.variant, first.cached_share) == (12.4, "t1", None, None)
    assert staff.engagement(NOON + timedelta(seconds=1)) == []
