"""Escalation: who takes over or looks at a turn, by rules that are data."""

from typing import Any

import pytest

from graph.answering.absence import NEXT_STEP
from graph.concluding.escalation import Cause, causes_of, escalation_of, gives_way, review_of, with_hand_over
from graph.discourse import Discourse, PastTurn
from graph.draft import Block, Draft, Segment, Sentence
from graph.options import GraphOptions
from graph.parts import Context
from graph.state import CatalogResult, TurnState
from graph.turn import Confidence, Escalation, Outcome, Review, User
from tests.graph.fakes import TicketDesk, answer, make_context, saying
from tests.graph.shops import camping_shop

SURE = Confidence(score=0.9, label="high")
UNSURE = Confidence(score=0.2, label="low")
CONCERN = "certification (high): asked and not confirmed: Is it ATEX certified?"


def state(
    query: str = "now",
    *,
    live_agent: bool = False,
    before: tuple[tuple[str, Outcome], ...] = (),
    streamed: str = "",
) -> TurnState:
    turns = [PastTurn(query=text, standalone_query=text, answer="", outcome=outcome) for text, outcome in before]
    return TurnState(
        query=query,
        live_agent=live_agent,
        streamed=streamed,
        discourse=Discourse(turns=turns),
        catalog=CatalogResult(),
        user=User(),
    )


def drafted(outcome: Outcome, **changed: Any) -> Draft:  # noqa: ANN401 - any field of a draft
    return answer(saying("Hello.")).model_copy(update={"outcome": outcome} | changed)


def parts(**rules: Any) -> Context:  # noqa: ANN401 - any rule
    options = GraphOptions.model_validate({"escalation": rules})
    return make_context(camping_shop(), options=options)


def concluded(
    turn: TurnState,
    draft: Draft,
    confidence: Confidence = SURE,
    **rules: Any,  # noqa: ANN401 - any rule
) -> tuple[Escalation | None, Review]:
    context = parts(**rules)
    causes = causes_of(turn, draft, confidence, context)
    escalation = escalation_of(turn, draft, causes, context)
    return escalation, review_of(draft, causes, escalation)


def test_a_sure_answer_needs_nobody() -> None:
    assert concluded(state(), drafted("clear")) == (None, Review())


def test_a_wish_for_a_person_opens_a_ticket() -> None:
    ticket, review = concluded(state(live_agent=True), drafted("clear"))
    assert ticket is not None
    assert (ticket.reason, ticket.to) == ("a person was asked for", "the team")
    assert not review.required


def test_a_bare_hand_off_always_has_one() -> None:
    ticket, _ = concluded(state(live_agent=True), drafted("handoff"), explicit_request={"on": False})
    assert ticket is not None


def test_the_ticket_tells_what_was_asked_lately_what_was_told_and_what_is_open() -> None:
    before = (("a", "clear"), ("b", "clear"), ("c", "clear"), ("d", "clear"))
    draft = drafted("clear", missing=["ATEX"], issues=[CONCERN])
    ticket, _ = concluded(state(live_agent=True, before=before), draft)
    assert ticket is not None
    assert ticket.summary.splitlines() == [
        "Asked: b / c / d / now",
        "Told: Hello.",
        "Missing: ATEX",
        f"To be confirmed: {CONCERN}",
    ]


def test_an_uncertain_answer_is_marked_for_review_without_a_ticket() -> None:
    ticket, review = concluded(state(), drafted("clear"), UNSURE)
    assert ticket is None
    assert review == Review(required=True, issues=["the answer is uncertain (0.20)"])
    ticket, _ = concluded(state(), drafted("clear"), UNSURE, low_confidence={"ticket": True, "team": "experts"})
    assert ticket is not None
    assert ticket.to == "experts"
    assert concluded(state(), drafted("clear"), UNSURE, low_confidence={"threshold": 0.1})[1] == Review()
    assert concluded(state(), drafted("clear"), UNSURE, low_confidence={"on": False})[1] == Review()


@pytest.mark.parametrize("outcome", ["no_answer", "non_decision"])
def test_only_an_answer_can_be_uncertain(outcome: Outcome) -> None:
    assert not concluded(state(), drafted(outcome), UNSURE)[1].required


def test_a_sensitive_matter_is_marked_for_review_with_its_issues() -> None:
    ticket, review = concluded(state(), drafted("no_answer", issues=[CONCERN]))
    assert (ticket, review) == (None, Review(required=True, issues=[CONCERN]))


def test_a_sensitive_matter_opens_a_ticket_from_the_severity_that_settings_say() -> None:
    rule = {"ticket": True, "threshold": "high"}
    assert concluded(state(), drafted("no_answer", issues=[CONCERN]), sensitive=rule)[0] is not None
    mild = CONCERN.replace("high", "medium")
    ticket, review = concluded(state(), drafted("no_answer", issues=[mild]), sensitive=rule)
    assert ticket is None
    assert review.required


def test_questions_in_a_row_without_an_answer_open_one_ticket() -> None:
    failed = (("a", "no_answer"), ("b", "no_answer"))
    ticket, _ = concluded(state(before=failed), drafted("no_answer"))
    assert ticket is not None
    assert ticket.reason == "3 questions in a row got no answer"
    assert concluded(state(before=failed), drafted("clear"))[0] is None
    assert concluded(state(before=failed[:1]), drafted("no_answer"))[0] is None
    assert concluded(state(before=(*failed, ("c", "no_answer"))), drafted("no_answer"))[0] is None
    between = (("a", "no_answer"), ("b", "clear"), ("c", "no_answer"))
    assert concluded(state(before=between), drafted("no_answer"))[0] is None
    assert concluded(state(), drafted("no_answer"), repeated_failure={"threshold": 1})[0] is not None


@pytest.mark.parametrize(
    "query",
    [
        "I need 200 units of it",
        "Can I order 1,500 pieces?",
        "Do you offer bulk discounts?",
        "we want to buy these in bulk",
        "Can you print our company logo on it?",
        "do you do custom sizes",
        "Is there a bespoke version?",
        "can it be made to measure?",
        "wholesale price please, we order a lot",
    ],
)
def test_a_bulk_or_custom_order_opens_a_ticket(query: str) -> None:
    ticket, _ = concluded(state(query), drafted("clear"), custom_order={"team": "sales"})
    assert ticket is not None
    assert (ticket.reason, ticket.to) == ("a bulk or custom order is wanted", "sales")


@pytest.mark.parametrize(
    "query",
    [
        "How do I upload products in bulk?",
        "Do I pay customs duties?",
        "Is it bulky?",
        "I want 2 of them",
        "How many pieces are in the set?",
        "Does it have a 120 litres capacity?",
        "What is your order number format?",
    ],
)
def test_other_orders_are_none(query: str) -> None:
    assert concluded(state(query), drafted("clear"))[0] is None


def test_what_counts_as_a_custom_order_is_a_setting() -> None:
    rule = {"threshold": 2, "patterns": [r"\bgift wrap"]}
    assert concluded(state("I want 2 of them"), drafted("clear"), custom_order=rule)[0] is not None
    assert concluded(state("please gift wrap it"), drafted("clear"), custom_order=rule)[0] is not None
    assert concluded(state("bulk orders?"), drafted("clear"), custom_order=rule)[0] is None


def test_a_turn_opens_one_ticket_and_marks_the_rest_for_review() -> None:
    desk = TicketDesk()
    context = make_context(camping_shop(), desk=desk)
    turn = state("200 units, and a human please", live_agent=True)
    causes = causes_of(turn, drafted("clear"), UNSURE, context)
    escalation = escalation_of(turn, drafted("clear"), causes, context)
    assert [cause.reason for cause in causes] == [
        "a person was asked for",
        "a bulk or custom order is wanted",
        "the answer is uncertain (0.20)",
    ]
    assert desk.tickets == [escalation]
    assert review_of(drafted("clear"), causes, escalation).issues == [cause.reason for cause in causes[1:]]


def test_a_rule_without_a_ticket_only_marks_the_turn() -> None:
    ticket, review = concluded(state("bulk orders?"), drafted("clear"), custom_order={"ticket": False})
    assert ticket is None
    assert review.issues == ["a bulk or custom order is wanted"]


def test_beside_an_answer_the_hand_over_is_said_after_it() -> None:
    ticket = TicketDesk().open_ticket("asked", "now")
    draft = with_hand_over(drafted("clear"), ticket)
    assert draft.blocks[:-1] == drafted("clear").blocks
    assert [sentence.factual for sentence in draft.blocks[-1].sentences] == [False]


def test_nobody_is_asked_whether_a_person_should_take_over_who_already_does() -> None:
    offer = Sentence(segments=[Segment(text=NEXT_STEP)], factual=False)
    draft = drafted("no_answer", blocks=[Block(sentences=[saying("Hello."), offer])])
    handed = with_hand_over(draft, TicketDesk().open_ticket("asked", "now"))
    assert NEXT_STEP not in [sentence.text for block in handed.blocks for sentence in block.sentences]


def test_nothing_is_added_without_one_and_to_a_bare_hand_off() -> None:
    ticket = TicketDesk().open_ticket("asked", "now")
    assert with_hand_over(drafted("clear"), None) == drafted("clear")
    assert with_hand_over(drafted("handoff"), ticket) == drafted("handoff")


def test_a_cause_is_looked_at_only_while_its_rule_is_on() -> None:
    context = parts(explicit_request={"on": False})
    causes: list[Cause] = causes_of(state(live_agent=True), drafted("clear"), SURE, context)
    assert causes == []


def test_a_pattern_that_is_no_regular_expression_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'a\(b' is no regular expression"):
        parts(custom_order={"patterns": ["a(b"]})


@pytest.mark.parametrize(
    ("turn", "outcome", "confidence", "expected"),
    [
        (state(live_agent=True), "clear", UNSURE, True),
        (state(live_agent=True), "clear", SURE, False),
        (state(), "clear", UNSURE, False),
        (state(live_agent=True, streamed="Hello."), "clear", UNSURE, False),
        (state(live_agent=True), "no_answer", UNSURE, False),
    ],
    ids=["unsure", "sure", "nobody asked for a person", "shown already", "nothing is told"],
)
def test_an_unsure_answer_gives_way_to_a_person_who_was_asked_for(
    turn: TurnState, outcome: Outcome, confidence: Confidence, *, expected: bool
) -> None:
    ticket = TicketDesk().open_ticket("asked", "now")
    assert gives_way(drafted(outcome), confidence, ticket, turn) is expected


def test_no_answer_gives_way_where_nobody_takes_over() -> None:
    assert not gives_way(drafted("clear"), UNSURE, None, state(live_agent=True))
