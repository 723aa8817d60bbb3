import pytest

from graph.discourse import Pending
from tests.graph.rewriting.conftest import Ask

WHICH = Pending(
    kind="product",
    question="Did you mean the Nova Plus or the Nova Mini?",
    standalone_query="What is the battery life of the Nova?",
    options={"Nova Plus": "nova-plus", "Nova Mini": "nova-mini"},
)
ROLE = Pending(
    kind="role",
    question="Are you the buyer or the seller?",
    standalone_query="How do I cancel an order?",
    options={"I'm the buyer": "buyer", "I'm the seller": "seller"},
)
SIZE = Pending(
    kind="slot", question="Which size?", standalone_query="Is it in stock?", options={"Small": "S", "Large": "L"}
)
REGION = Pending(
    kind="region",
    question="Which region should it be delivered to?",
    standalone_query="Do you deliver for free?",
    options={"US-AK (Alaska)": "US-AK", "EU": "EU", "Germany": "Germany"},
)


@pytest.mark.parametrize(
    "reply",
    ["Nova Mini", "nova mini", "the mini", "mini please", "the second one", "2", "I meant the Mini", "the last"],
)
def test_a_reply_completes_the_question_that_was_waiting(ask: Ask, reply: str) -> None:
    result = ask(reply, pending=WHICH)
    assert result.standalone_query == "What is the battery life of the Nova Mini?"
    assert result.products == ("nova-mini",)
    assert result.searchable


def test_the_closest_label_wins(ask: Ask) -> None:
    pending = Pending(
        kind="product",
        question="?",
        standalone_query="battery of the aurora",
        options={"Aurora X2 Pro": "aurora-x2-pro", "Aurora X2": "aurora-x2"},
    )
    assert ask("X2", pending=pending).products == ("aurora-x2",)
    assert ask("the pro", pending=pending).products == ("aurora-x2-pro",)


def test_a_reply_that_fits_several_options_is_none(ask: Ask) -> None:
    assert ask("the nova", pending=WHICH).products == ()


@pytest.mark.parametrize("reply", ["I'm the seller", "seller", "I am a seller", "the second"])
def test_a_role_is_set_and_the_question_kept(ask: Ask, reply: str) -> None:
    result = ask(reply, pending=ROLE)
    assert (result.role, result.standalone_query) == ("seller", "How do I cancel an order?")


def test_a_slot_is_added_to_the_question(ask: Ask) -> None:
    assert ask("large", pending=SIZE).standalone_query == "Is it in stock for Large?"


def test_a_new_question_is_no_reply(ask: Ask) -> None:
    result = ask("how do I pay?", pending=WHICH)
    assert (result.standalone_query, result.products) == ("how do I pay?", ())
    assert ask("How heavy is the Kestrel 2?", pending=WHICH).standalone_query == "How heavy is the Kestrel 2?"


def test_a_role_can_be_stated_beside_a_question(ask: Ask) -> None:
    assert ask("I'm a seller, how do I list a product?").role == "seller"
    assert ask("is the seller reliable?").role is None


@pytest.mark.parametrize(
    ("reply", "merged", "region"),
    [
        ("EU", "Do you deliver for free for EU?", "EU"),
        ("US-AK (Alaska)", "Do you deliver for free for US-AK (Alaska)?", "US-AK"),
        ("alaska", "Do you deliver for free for US-AK (Alaska)?", "US-AK"),
        ("I live in Germany", "Do you deliver for free for Germany?", "Germany"),
        ("the second one", "Do you deliver for free for EU?", "EU"),
        ("97209", "Do you deliver for free in 97209?", "97209"),
    ],
)
def test_a_region_completes_the_question_and_is_kept(ask: Ask, reply: str, merged: str, region: str) -> None:
    result = ask(reply, pending=REGION)
    assert (result.standalone_query, result.region) == (merged, region)


def test_another_question_than_the_one_for_a_region_is_no_reply(ask: Ask) -> None:
    assert ask("how do I pay?", pending=REGION).region is None


TEAM = Pending(
    kind="person", question="Shall I ask them?", standalone_query="Is the Nova Mini mended free?", options={}
)


@pytest.mark.parametrize("reply", ["Yes", "yes please", "ok", "sure, go ahead", "yeah ask them please", "of course"])
def test_a_yes_to_the_offer_of_a_person_wants_one(ask: Ask, reply: str) -> None:
    result = ask(reply, pending=TEAM)
    assert (result.live_agent, result.searchable) == (True, False)
    assert result.standalone_query == reply


@pytest.mark.parametrize("reply", ["no", "no thanks", "not sure", "rather not", "yes, how heavy is the Nova Mini?"])
def test_what_is_more_or_less_than_a_yes_wants_no_person(ask: Ask, reply: str) -> None:
    assert not ask(reply, pending=TEAM).live_agent


def test_a_yes_to_nothing_wants_no_person(ask: Ask) -> None:
    assert not ask("yes please").live_agent
