"""What testers begin with: the latest conversations, and the turns that somebody has judged."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.storage.records import Feedback, Records
from app.storage.staff import StaffRecords, Worded
from graph.turn import Citation, Review, Turn
from ingestion.evidence import Evidence

TurnMaker = Callable[..., Turn]
MARKED = Review(required=True, issues=["a claim about safety"])


class _Clock:
    def now(self) -> datetime:
        return datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    store = Records(tmp_path / "records.sqlite", _Clock(), "the tent desk", 10)
    yield store
    store.close()


@pytest.fixture
def staff(records: Records) -> StaffRecords:
    return StaffRecords(records.store, _Clock())


def test_conversations_with_a_thumb_down_come_first_then_the_latest(
    records: Records, staff: StaffRecords, a_turn: TurnMaker
) -> None:
    for thread in ("bad", "good", "later"):
        for number in (1, 2):
            turn = a_turn(thread_id=thread, turn_id=f"{thread}{number}", query=f"Question {number} of {thread}?")
            records.record(turn, [], [])
    records.record_feedback("bad2", Feedback("down"))
    records.record_feedback("good1", Feedback("up"))
    assert [(one.thread_id, one.question, one.disliked) for one in staff.recent()] == [
        ("bad", "Question 1 of bad?", True),
        ("later", "Question 1 of later?", False),
        ("good", "Question 1 of good?", False),
    ]
    assert [one.thread_id for one in staff.recent(limit=1)] == ["bad"]


def test_a_judged_turn_comes_with_what_was_said_before_it_and_written_behind_it(
    records: Records, staff: StaffRecords, a_turn: TurnMaker, spec: Evidence, cite: Callable[..., Citation]
) -> None:
    first = a_turn(turn_id="1")
    records.record(first, [spec], [])
    records.record(a_turn(turn_id="2", review=MARKED), [spec], [])
    records.record(a_turn(turn_id="3"), [spec], [])
    told = Worded("It weighs 1.9 kg [1].", (cite(spec, "Weight: 1.9 kg"),), (spec,))
    assert staff.decide("2", "edited", "Ada", told)
    (one,) = staff.reviewed()
    assert (one.row.turn.turn_id, one.decision, one.label) == ("2", "edited", None)
    assert one.before == (first,)
    assert [message.text for message in one.messages] == ["It weighs 1.9 kg [1]."]
    assert one.row.sources == (spec,)


def test_a_turn_is_judged_once_somebody_decides_on_it_or_labels_its_thumb_down(
    records: Records, staff: StaffRecords, a_turn: TurnMaker
) -> None:
    records.record(a_turn(turn_id="open", review=MARKED), [], [])
    for name in ("labelled", "disliked"):
        records.record(a_turn(turn_id=name), [], [])
        records.record_feedback(name, Feedback("down"))
    staff.label("labelled", "wrong source")
    assert [(one.row.turn.turn_id, one.decision, one.label) for one in staff.reviewed()] == [
        ("labelled", None, "wrong source")
    ]
