"""Escalation: a person takes over when one is asked for, beside an answer or alone."""

from graph.concluding.escalation import escalation_of, with_hand_over
from graph.draft import Draft
from graph.state import TurnState
from graph.turn import Outcome
from tests.graph.fakes import TicketDesk, answer, make_context, saying
from tests.graph.shops import camping_shop


def state(*, live_agent: bool, before: tuple[str, ...] = ()) -> TurnState:
    discourse = {"turns": [{"query": query} for query in before]}
    return TurnState(query="now", live_agent=live_agent, discourse=discourse)


def drafted(outcome: Outcome) -> Draft:
    return answer(saying("Hello.")).model_copy(update={"outcome": outcome})


def test_no_ticket_is_opened_unless_a_person_is_asked_for() -> None:
    desk = TicketDesk()
    parts = make_context(camping_shop(), desk=desk)
    assert escalation_of(state(live_agent=False), drafted("clear"), parts) is None
    assert desk.tickets == []


def test_the_ticket_tells_what_was_said_lately() -> None:
    parts = make_context(camping_shop())
    ticket = escalation_of(state(live_agent=True, before=("a", "b", "c", "d")), drafted("clear"), parts)
    assert ticket is not None
    assert ticket.reason
    assert ticket.summary.split(" / ") == ["b", "c", "d", "now"]


def test_a_hand_off_always_has_one() -> None:
    parts = make_context(camping_shop())
    assert escalation_of(state(live_agent=False), drafted("handoff"), parts) is not None


def test_beside_an_answer_the_hand_over_is_said_after_it() -> None:
    ticket = TicketDesk().open_ticket("asked", "now")
    draft = with_hand_over(drafted("clear"), ticket)
    assert draft.blocks[:-1] == drafted("clear").blocks
    assert [sentence.factual for sentence in draft.blocks[-1].sentences] == [False]


def test_nothing_is_added_without_one_and_to_a_bare_hand_off() -> None:
    ticket = TicketDesk().open_ticket("asked", "now")
    assert with_hand_over(drafted("clear"), None) == drafted("clear")
    assert with_hand_over(drafted("handoff"), ticket) == drafted("handoff")
