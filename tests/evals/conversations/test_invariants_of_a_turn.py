"""The checks of what always holds: a sound turn breaks none, and each way to break one is found."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from graph.turn import Citation, Turn
from tests.invariants import violations

MakeTurn = Callable[..., Turn]
MakeCitation = Callable[..., Citation]

SOURCES: Mapping[str, dict[str, Any]] = {
    "spec:kestrel-2": {"text": "Weight: 1.9 kg", "source_type": "spec", "product_id": "kestrel-2", "rating": None},
    "review:r1": {"text": "Roomy.", "source_type": "review", "product_id": "kestrel-2", "rating": 5.0},
    "review:r2": {"text": "Tight.", "source_type": "review", "product_id": "kestrel-2", "rating": 2.0},
    "spec:heron-2": {"text": "Weight: 2.4 kg", "source_type": "spec", "product_id": "heron-2", "rating": None},
}
HERON = {"evidence_id": "spec:heron-2", "product_id": "heron-2", "quote": "Weight: 2.4 kg"}
REVIEW = {"evidence_id": "review:r1", "source_type": "review", "quote": "Roomy.", "start": 0, "end": 6}
BOTH = [
    {"id": "kestrel-2", "name": "Kestrel 2", "method": "exact", "score": 1.0},
    {"id": "heron-2", "name": "Heron 2", "method": "exact", "score": 1.0},
]
ESCALATION = {"reason": "asked", "ticket_id": "T-1", "to": "team", "summary": "…"}
PASSED_ON = {"text": "I'm passing you on.", "citations": [], "support": 0.0, "factual": False}


def broken(turn: Turn, style: Any = "text") -> list[str]:  # noqa: ANN401 - one of the contract's styles
    return violations(turn, SOURCES.get, style)


def sentence(text: str, *citations: int, factual: bool = True) -> dict[str, Any]:
    return {"text": text, "citations": list(citations), "support": 0.9 if factual else 0.0, "factual": factual}


def test_a_sound_turn_breaks_nothing(make_turn: MakeTurn) -> None:
    assert broken(make_turn()) == []


def test_a_sound_hand_off_breaks_nothing(make_turn: MakeTurn) -> None:
    empty: dict[str, Any] = {"products": [], "citations": [], "retrieved": []}
    turn = make_turn(outcome="handoff", answer=PASSED_ON["text"], sentences=[PASSED_ON], escalation=ESCALATION, **empty)
    assert broken(turn) == []


@pytest.mark.parametrize("style", ["plain", "voice"])
def test_plain_and_spoken_answers_show_no_markers(make_turn: MakeTurn, style: str) -> None:
    assert broken(make_turn(answer="The Kestrel 2 weighs 1.9 kg."), style) == []
    assert "markers [1]" in broken(make_turn(), style)[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": "The Kestrel 2 weighs 1.9 kg [1][2]."}, "shows the markers [1, 2]"),
        ({"answer": "The Kestrel 2 weighs 1.9 kg."}, "shows the markers []"),
        ({"citations": []}, "shows the markers [1]"),
        ({"answer": " "}, "the answer is empty"),
        ({"answer": "Sure! The Kestrel 2 weighs 1.9 kg [1]."}, "where the sentence"),
        ({"answer": "The Kestrel 2 weighs 1.9 kg [1]. Really."}, "after the last sentence"),
        ({"sentences": [sentence("The Kestrel 2 weighs 1.9 kg.")]}, "is not cited"),
        ({"sentences": [sentence("The Kestrel 2 weighs 1.9 kg.", 1, 2)]}, "some are no citations"),
        ({"sentences": [sentence("The Kestrel 2 weighs 1.9 kg.", 1) | {"support": 0.0}]}, "has the support 0.0"),
        ({"sentences": [sentence("The Kestrel 2 weighs 1.9 kg.", 1, factual=False)]}, "is cited and not factual"),
        ({"outcome": "ambiguous"}, "not asked back"),
        ({"outcome": "ambiguous", "clarification": {"question": " ", "options": []}}, "not asked back"),
        ({"outcome": "handoff"}, "has no escalation"),
        ({"outcome": "handoff", "escalation": ESCALATION}, "a hand-off states"),
        ({"outcome": "no_answer"}, "begins with the fact"),
        ({"products": [], "answer": "It weighs 1.9 kg [1].", "sentences": [sentence("It weighs 1.9 kg.", 1)]},
         "is about no product and cites [1], about kestrel-2"),
        ({"products": BOTH, "answer": "The Heron 2 weighs 1.9 kg [1].",
          "sentences": [sentence("The Heron 2 weighs 1.9 kg.", 1)]}, "is about ['heron-2'] and cites [1]"),
        ({"confidence": {"score": 1.2, "label": "high"}}, "the confidence is 1.2"),
        ({"intent": {"distribution": {"warranty": 0.5}, "entropy": 0.0, "selected": [], "branch": "focused"}}, "sum"),
        ({"intent": {"distribution": {}, "entropy": 1.5, "selected": [], "branch": "focused"}}, "the entropy is 1.5"),
    ],
)  # fmt: skip
def test_what_a_turn_breaks_is_found(make_turn: MakeTurn, changes: dict[str, Any], message: str) -> None:
    assert any(message in found for found in broken(make_turn(**changes)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"quote": "Weight: 2 kg"}, "quotes 'Weight: 2 kg', the source has 'Weight: 1.9 kg'"),
        ({"start": 1}, "the source has 'eight: 1.9 kg'"),
        ({"evidence_id": "spec:nobody"}, "does not resolve"),
        ({"source_type": "qa"}, "has the source_type 'qa'"),
        ({"product_id": None}, "has the product_id None"),
        ({"marker": 2}, "are numbered [2]"),
        ({"derived": {"op": "count", "of": ["review:r1", "review:r2"], "value": 3}}, "counts 2 sources as 3"),
        ({"derived": {"op": "count", "of": ["review:r1", "review:r9"], "value": 2}}, "some do not resolve"),
        ({"derived": {"op": "count", "of": [], "value": 0}}, "some do not resolve"),
        ({"derived": {"op": "mean", "of": ["review:r1", "review:r2"], "value": 4.0}}, "a mean of 3.500"),
        ({"derived": {"op": "mean", "of": ["review:r1", "spec:kestrel-2"], "value": 5.0}}, "over 1 ratings"),
    ],
)
def test_what_a_citation_breaks_is_found(
    make_turn: MakeTurn, make_citation: MakeCitation, changes: dict[str, Any], message: str
) -> None:
    turn = make_turn(citations=[make_citation(**changes).model_dump()])
    assert any(message in found for found in broken(turn))


@pytest.mark.parametrize(
    "derived",
    [
        {"op": "count", "of": ["review:r1", "review:r2"], "value": 2},
        {"op": "mean", "of": ["review:r1", "review:r2"], "value": 3.5},
        {"op": "convert", "of": ["spec:kestrel-2"], "value": "4.2 lb"},
    ],
)
def test_a_figure_that_recomputes_is_sound(
    make_turn: MakeTurn, make_citation: MakeCitation, derived: dict[str, Any]
) -> None:
    assert broken(make_turn(citations=[make_citation(derived=derived).model_dump()])) == []


def test_markers_are_numbered_by_first_appearance(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    citations = [make_citation().model_dump(), make_citation(**REVIEW, marker=2).model_dump()]
    sentences = [sentence("It is roomy.", 2), sentence("It weighs 1.9 kg.", 1)]
    turn = make_turn(answer="It is roomy [2]. It weighs 1.9 kg [1].", sentences=sentences, citations=citations)
    assert "shows the markers [2, 1]" in broken(turn)[0]


def test_a_span_has_one_marker_and_a_citation_a_sentence(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    citations = [make_citation().model_dump(), make_citation(marker=2).model_dump()]
    turn = make_turn(answer="The Kestrel 2 weighs 1.9 kg [1][2].", citations=citations)
    found = broken(turn)
    assert "one span has several markers" in found
    assert "the citations [2] belong to no sentence" in found


def test_a_longer_name_is_not_the_shorter_one_in_it(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    heron_pro = {"id": "kestrel-2", "name": "Heron 2 Pro", "method": "exact", "score": 1.0}
    said = sentence("The Heron 2 Pro weighs 1.9 kg.", 1)
    turn = make_turn(products=[heron_pro, BOTH[1]], answer="The Heron 2 Pro weighs 1.9 kg [1].", sentences=[said])
    assert broken(turn) == []
    mistaken = turn.model_copy(update={"citations": [make_citation(**HERON)]})
    assert "is about ['kestrel-2'] and cites [1], about heron-2" in broken(mistaken)[0]


def test_any_name_of_the_catalog_is_known(make_turn: MakeTurn) -> None:
    said = {"answer": "The Wren 1 weighs 1.9 kg [1].", "sentences": [sentence("The Wren 1 weighs 1.9 kg.", 1)]}
    assert "is about ['wren-1']" in violations(make_turn(**said), SOURCES.get, catalog={"wren-1": ["Wren 1"]})[0]
    alone = make_turn(products=[])
    assert violations(alone, SOURCES.get, catalog={"kestrel-2": ["Kestrel 2"]}) == []
    assert violations(alone, SOURCES.get, catalog={"kestrel-2": ["Fell Kestrel 2", "Kestrel 2"]}) == []


def test_another_product_may_be_named_in_a_quotation(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    text = "One reviewer writes: \u201clighter than my Heron 2\u201d."
    assert broken(make_turn(products=BOTH, answer=f"{text[:-1]} [1].", sentences=[sentence(text, 1)])) == []
    source = {**SOURCES["spec:kestrel-2"], "text": "Lighter than the Heron 2"}
    citation = make_citation(quote="Lighter than the Heron 2", end=24).model_dump()
    said = sentence("Lighter than the Heron 2.", 1)
    turn = make_turn(products=BOTH, answer="Lighter than the Heron 2 [1].", sentences=[said], citations=[citation])
    assert violations(turn, lambda _id: source) == []
