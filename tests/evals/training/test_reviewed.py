"""Rows to learn from: what each judgement of a turn says, and of what."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from app.storage.records import AuditRow, StaffMessage
from app.storage.staff import Reviewed
from evals.rows import RewritingRow, Utterance
from evals.training.reviewed import CitedSpan, as_lines
from graph.turn import Citation, Turn
from ingestion.evidence import Evidence

AT = datetime(2026, 6, 1, tzinfo=UTC)
SOURCE = Evidence(
    evidence_id="spec:kestrel-2",
    source_type="spec",
    text="Weight: 1.9 kg\nCapacity: 2 people",
    title="Kestrel 2 specifications",
    row_id="kestrel-2",
    product_id="kestrel-2",
)
FOLLOW_UP = {"query": "and its weight?", "standalone_query": "What is the weight of the Kestrel 2?", "turn_id": "2"}

MakeTurn = Callable[..., Turn]
MakeCitation = Callable[..., Citation]


def judged(turn: Turn, decision: str | None = None, label: str | None = None, **said: Any) -> Reviewed:  # noqa: ANN401 - further fields
    row = AuditRow(at=AT, turn=turn, sources=(SOURCE,), dropped=(), feedback=None)
    return Reviewed(**({"row": row, "before": (), "decision": decision, "label": label, "messages": ()} | said))


def spans(*reviewed: Reviewed) -> list[tuple[str, bool]]:
    rows = [CitedSpan.model_validate_json(line) for line in as_lines("reader", reviewed).splitlines()]
    assert all(row.evidence[row.start : row.end] in row.passage for row in rows)
    return [(row.evidence[row.start : row.end], row.label) for row in rows]


def written(*citations: Citation) -> tuple[StaffMessage, ...]:
    return (StaffMessage("1", AT, "Ada", "Words.", citations),)


RIGHT = [("approved", None), ("edited", None), (None, "shop data wrong"), ("approved", "shop data wrong")]
NOT_RIGHT = [("rejected", None), (None, "wrong source"), (None, "hallucination"), (None, "not helpful")]


@pytest.mark.parametrize(("decision", "label"), RIGHT)
def test_a_question_that_was_read_right_teaches_its_intent_and_its_rewriting(
    make_turn: MakeTurn, decision: str | None, label: str | None
) -> None:
    before = make_turn()
    page = {"id": "kestrel-2", "name": "Kestrel 2", "method": "page", "score": 1.0}
    one = judged(make_turn(**FOLLOW_UP, products=[page]), decision, label, before=(before,))
    assert Utterance.model_validate_json(as_lines("intent", [one])) == Utterance(
        text="What is the weight of the Kestrel 2?", label="product_spec"
    )
    row = RewritingRow.model_validate_json(as_lines("rewriting", [one]))
    assert (row.id, row.query, row.gold) == ("2", "and its weight?", ["What is the weight of the Kestrel 2?"])
    assert [(said.role, said.content) for said in row.history] == [
        ("user", "How heavy is the Kestrel 2?"),
        ("assistant", "The Kestrel 2 weighs 1.9 kg."),
    ]
    assert row.context == ["Kestrel 2"]


@pytest.mark.parametrize(("decision", "label"), [*NOT_RIGHT, ("approved", "wrong source")])
def test_of_other_turns_nobody_knows_whether_the_question_was_read_right(
    make_turn: MakeTurn, decision: str | None, label: str | None
) -> None:
    one = judged(make_turn(), decision, label)
    assert (as_lines("intent", [one]), as_lines("rewriting", [one])) == ("", "")


def test_an_utterance_has_one_intent_and_browsing_is_one(make_turn: MakeTurn) -> None:
    intent = {"distribution": {"product_spec": 0.5, "warranty": 0.5}, "entropy": 1.0}
    several = make_turn(intent=intent | {"selected": ["product_spec", "warranty"], "branch": "broad"})
    browsing = make_turn(intent=intent | {"selected": [], "branch": "non_decision"})
    lines = as_lines("intent", [judged(several, "approved"), judged(browsing, "approved")]).splitlines()
    assert [json.loads(line)["label"] for line in lines] == ["non_decision"]


@pytest.mark.parametrize(
    ("decision", "label", "expected"),
    [
        ("approved", None, [("Weight: 1.9 kg", True)]),
        (None, "shop data wrong", [("Weight: 1.9 kg", True)]),
        ("rejected", None, [("Weight: 1.9 kg", False)]),
        (None, "wrong source", [("Weight: 1.9 kg", False)]),
        (None, "hallucination", []),
        (None, "not helpful", []),
        ("approved", "wrong source", []),
    ],
)
def test_a_cited_span_answers_where_the_turn_was_right_and_does_not_where_its_source_was_wrong(
    make_turn: MakeTurn, decision: str | None, label: str | None, expected: list[tuple[str, bool]]
) -> None:
    assert spans(judged(make_turn(), decision, label)) == expected


def test_of_an_edited_answer_the_edited_words_were_found_right(
    make_turn: MakeTurn, make_citation: MakeCitation
) -> None:
    edited = written(make_citation(quote="Capacity: 2 people", start=15, end=33))
    assert spans(judged(make_turn(), "edited", messages=edited)) == [("Capacity: 2 people", True)]
    both = [("Weight: 1.9 kg", True), ("Capacity: 2 people", True)]
    assert spans(judged(make_turn(), "approved", messages=edited)) == both


def test_a_span_stands_in_its_source_to_the_letter_and_once(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    elsewhere = make_citation(marker=2, quote="Capacity: 2 people", start=0, end=18)
    derived = make_citation(
        marker=3, quote="Capacity: 2 people", start=15, end=33, derived={"op": "count", "of": [], "value": 2}
    )
    gone = make_citation(marker=4, evidence_id="spec:heron-2")
    again = make_citation(marker=5)
    turn = make_turn(citations=[make_citation(), elsewhere, derived, gone, again])
    assert spans(judged(turn, "approved")) == [("Weight: 1.9 kg", True)]


def test_a_row_for_the_reader_has_the_question_alone_and_the_passage_as_it_reads_it(make_turn: MakeTurn) -> None:
    row = json.loads(as_lines("reader", [judged(make_turn(**FOLLOW_UP), "approved")]))
    assert row == {
        "id": "2.1",
        "question": "What is the weight of the Kestrel 2?",
        "evidence_id": "spec:kestrel-2",
        "evidence": SOURCE.text,
        "start": 0,
        "end": 14,
        "passage": "Kestrel 2 specifications: Weight: 1.9 kg",
        "label": True,
    }
