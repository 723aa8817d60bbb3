"""What each key of `expect` means."""

from collections.abc import Callable
from typing import Any

import pytest

from evals.conversations.expectations import Failure, check
from evals.conversations.fixtures import Expect
from graph.turn import Citation, Turn

MakeTurn = Callable[..., Turn]
MakeCitation = Callable[..., Citation]

REVIEW = {"evidence_id": "review:r1", "source_type": "review", "quote": "light enough", "marker": 2, "section": None}
CLARIFICATION = {"question": "Which one?", "options": ["Dormouse 5", "Dormouse 5 Down"]}
ESCALATION = {"reason": "The customer asked for a person", "ticket_id": "T-1", "to": "team", "summary": "…"}


def failures(turn: Turn, **expected: Any) -> list[Failure]:  # noqa: ANN401 - as a fixture would say it
    return check(1, turn, Expect.model_validate(expected))


@pytest.mark.parametrize(
    ("holds", "fails"),
    [
        ({"outcome": "clear"}, {"outcome": "no_answer"}),
        ({"outcome": {"any": ["no_answer", "clear"]}}, {"outcome": {"any": ["no_answer", "handoff"]}}),
        ({"products": ["kestrel-2"]}, {"products": []}),
        ({"products": ["kestrel-2", "kestrel-2"]}, {"products": ["kestrel-2", "heron-2"]}),
        ({"products": [{"any": ["heron-2", "kestrel-2"]}]}, {"products": [{"any": ["heron-2", "wren-1"]}]}),
        ({"products": {"any": [["heron-2"], ["kestrel-2"]]}}, {"products": {"any": [["heron-2"], []]}}),
        ({"intents": ["product_spec"]}, {"intents": ["product_spec", "warranty"]}),
        ({"branch": "focused"}, {"branch": "broad"}),
        ({"answer_contains": ["1.9 kg", "weighs"]}, {"answer_contains": ["1.9 kg", "2.4 kg"]}),
        ({"answer_contains": [{"any": ["4.2 lb", "1.9 kg"]}]}, {"answer_contains": [{"any": ["4.2 lb", "2 kg"]}]}),
        (
            {"answer_contains": {"any": [["4.2 lb"], ["1.9 kg", "weighs"]]}},
            {"answer_contains": {"any": [["4.2 lb"], ["1.9 kg", "heavy"]]}},
        ),
        ({"answer_contains": ["THE KESTREL 2\n weighs"]}, {"answer_contains": ["Kestrel2"]}),
        ({"answer_contains": ["1.9 kg."]}, {"answer_contains": ["1.9 kg!"]}),
        ({"answer_contains": ["1.9 kg [1]"]}, {"answer_contains": ["1.9 kg [2]"]}),
        ({"answer_excludes": ["guarantee"]}, {"answer_excludes": ["Weighs"]}),
        ({"cites_only_products": ["kestrel-2", "heron-2"]}, {"cites_only_products": ["heron-2"]}),
        ({"cites_only_products": {"any": [[], ["kestrel-2"]]}}, {"cites_only_products": []}),
        ({"min_confidence": 0.8}, {"min_confidence": 0.81}),
        ({"standalone_contains": ["heavy", "kestrel 2"]}, {"standalone_contains": ["heron"]}),
        ({"searchable": True}, {"searchable": False}),
        ({"live_agent": False}, {"live_agent": True}),
        ({"escalation": False}, {"escalation": True}),
        ({"options": []}, {"options": ["one"]}),
    ],
)
def test_an_expectation_holds_or_fails(make_turn: MakeTurn, holds: dict[str, Any], fails: dict[str, Any]) -> None:
    assert failures(make_turn(), **holds) == []
    assert [failure.key for failure in failures(make_turn(), **fails)] == list(fails)


@pytest.mark.parametrize(
    ("holds", "fails"),
    [
        ({"source_type": "spec"}, {"source_type": "qa"}),
        ({"source_type": "spec", "product": "kestrel-2"}, {"source_type": "review", "product": "heron-2"}),
        ({"source_type": {"any": ["qa", "review"]}}, {"source_type": {"any": ["qa", "manual"]}}),
        ({"product_id": "kestrel-2"}, {"product_id": "heron-2"}),
        ({"evidence_id": "spec:kestrel-2"}, {"evidence_id": "spec:kestrel"}),
        ({"evidence_id": "review:r1"}, {"evidence_id": "review:r1#2"}),
        ({"title": "kestrel 2 SPEC"}, {"title": "Heron"}),
        ({"section": "weight", "page": None}, {"page": 3}),
        ({"quote": "light  enough"}, {"quote": "heavy"}),
        ({"updated_at": "2026-05-01"}, {"updated_at": "2026-05"}),
        ({"section": None, "source_type": "review"}, {"section": None, "source_type": "spec"}),
        ({"marker": 2}, {"marker": 3}),
        ({"derived": {"op": "count", "value": "9"}}, {"derived": {"op": "mean"}}),
    ],
)
def test_an_expected_citation_is_met_by_one_that_has_all_of_it(
    make_turn: MakeTurn, make_citation: MakeCitation, holds: dict[str, Any], fails: dict[str, Any]
) -> None:
    counted = make_citation(**REVIEW, derived={"op": "count", "of": ["review:r1"], "value": 9.0})
    turn = make_turn(citations=[make_citation().model_dump(), counted.model_dump()])
    assert failures(turn, cites=[holds]) == []
    assert failures(turn, cites=[fails])[0].expected == fails


def test_a_row_that_is_cut_into_chunks_is_cited_by_any_of_them(
    make_turn: MakeTurn, make_citation: MakeCitation
) -> None:
    turn = make_turn(citations=[make_citation(evidence_id="help_article:returns#2").model_dump()])
    assert failures(turn, cites=[{"evidence_id": "help_article:returns"}]) == []


def test_white_space_dashes_and_quotation_marks_of_any_kind_are_alike(make_turn: MakeTurn) -> None:
    turn = make_turn(answer="It’s 6.1\u2011inch, 4,500\u202fmAh and lasts 3\u20135\u00a0days.")
    assert failures(turn, answer_contains=["it's 6.1-inch", "4,500 mAh", "3-5 days"]) == []


def test_a_phrase_is_found_across_markers_and_emphasis(make_turn: MakeTurn) -> None:
    turn = make_turn(answer="**For:** light [1], quick [2].")
    assert failures(turn, answer_contains=["For: light, quick."]) == []
    assert failures(turn, answer_excludes=["light, quick"]) != []


def test_each_failing_entry_of_a_list_is_a_failure_of_its_own(make_turn: MakeTurn) -> None:
    found = failures(make_turn(), answer_contains=["1.9 kg", "4.2 lb", {"any": ["a", "b"]}])
    assert found == [
        Failure(1, "answer_contains", "4.2 lb", make_turn().answer),
        Failure(1, "answer_contains", {"any": ["a", "b"]}, make_turn().answer),
    ]


def test_a_failure_shows_what_was_cited(make_turn: MakeTurn) -> None:
    [failure] = failures(make_turn(), cites=[{"source_type": "qa"}])
    cited = {"evidence_id": "spec:kestrel-2", "source_type": "spec", "product": "kestrel-2", "quote": "Weight: 1.9 kg"}
    assert (failure.key, failure.expected, failure.got) == ("cites", {"source_type": "qa"}, [cited])


@pytest.mark.parametrize(
    ("options", "held"),
    [
        (["Dormouse 5", "Dormouse 5 Down"], True),
        (["dormouse 5 down"], True),
        (["Down", "Dormouse 5"], True),
        ([{"any": ["Wren", "Dormouse 5"]}], True),
        (["Dormouse 5 Down", "Dormouse 5 Down"], False),
        (["Dormouse 5", "Dormouse 5 Down", "Dormouse"], False),
        (["Wren 1"], False),
    ],
)
def test_each_expected_option_is_another_one_of_those_offered(
    make_turn: MakeTurn, options: list[Any], *, held: bool
) -> None:
    turn = make_turn(outcome="ambiguous", clarification=CLARIFICATION)
    assert (failures(turn, options=options) == []) is held


@pytest.mark.parametrize(
    ("expected", "held"), [(True, True), ("asked for a person", True), (False, False), ("x", False)]
)
def test_an_escalation_is_expected_by_its_reason_or_at_all(
    make_turn: MakeTurn, *, expected: bool | str, held: bool
) -> None:
    assert (failures(make_turn(escalation=ESCALATION), escalation=expected) == []) is held


def test_what_is_about_the_whole_shop_is_no_other_product(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    turn = make_turn(citations=[make_citation(product_id=None).model_dump()])
    assert failures(turn, cites_only_products=[]) == []
