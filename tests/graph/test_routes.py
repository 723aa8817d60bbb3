"""Where a turn goes next."""

from typing import Any, cast

import pytest
from langgraph.runtime import Runtime
from langgraph.types import Send

from graph.discourse import Discourse
from graph.draft import Draft
from graph.routes import after_browse, after_intent, after_recall, after_respond, wider_intents
from graph.state import TurnState, products_in_question
from graph.turn import Branch, Page, User
from tests.graph.fakes import catalog_of, intent_of, make_context
from tests.graph.shops import camping_shop

DRAFT = Draft(outcome="clear", blocks=[], confidence=1.0)
RUNTIME = Runtime(context=make_context(camping_shop()))
AT_HAND = Discourse(focus=["tarn-2"])


def state(*selected: str, branch: Branch = "focused", named: tuple[str, ...] = (), **changes: Any) -> TurnState:  # noqa: ANN401
    distribution = {"warranty": 0.5, "return_policy": 0.3, "checkout": 0.1, "non_decision": 0.1}
    fields: dict[str, Any] = {
        "query": "and returns?",
        "standalone_query": "Can I return the Tarn 2?",
        "catalog": catalog_of(*named),
        "intent": intent_of(*selected, branch=branch, distribution=distribution),
        "discourse": Discourse(),
        "user": User(),
        "recalled": [],
        "widened": False,
        "draft": None,
    }
    return cast("TurnState", fields | changes)


def tasks(route: object) -> list[tuple[str, str | None]]:
    assert isinstance(route, list)
    assert all(isinstance(send, Send) and send.node == "retrieve" for send in route)
    return [(send.arg["intent"], send.arg["product_id"]) for send in route]


@pytest.mark.parametrize(("branch", "node"), [("handoff", "hand_off"), ("non_decision", "browse")])
def test_what_is_not_looked_up_is_not_retrieved(branch: Branch, node: str) -> None:
    assert after_intent(state(branch=branch)) == node


def test_what_asks_for_no_products_after_all_is_looked_up() -> None:
    assert after_browse(state(branch="non_decision", draft=DRAFT)) == "conclude"
    asked = state(branch="non_decision")
    assert after_browse(asked) == "recall"
    assert {intent for intent, _ in tasks(after_recall(asked, RUNTIME))} == set(wider_intents(asked))


@pytest.mark.parametrize("branch", ["focused", "broad"])
def test_what_is_looked_up_recalls_what_was_said_before(branch: Branch) -> None:
    assert after_intent(state("warranty", branch=branch)) == "recall"


def test_there_is_one_retrieval_per_intent_and_product_and_one_for_the_whole_shop() -> None:
    route = after_recall(state("warranty", "return_policy", branch="broad", named=("tarn-2", "tarn-3")), RUNTIME)
    scopes = ("tarn-2", "tarn-3", None)
    assert tasks(route) == [(intent, scope) for intent in ("warranty", "return_policy") for scope in scopes]


def test_a_retrieval_knows_both_wordings_and_all_products() -> None:
    route = after_recall(state("warranty", named=("tarn-2", "tarn-3")), RUNTIME)
    assert isinstance(route, list)
    for send in route:
        assert (send.arg["query"], send.arg["standalone_query"]) == ("and returns?", "Can I return the Tarn 2?")
        assert send.arg["products"] == ["tarn-2", "tarn-3"]


def test_what_names_no_product_is_read_for_the_one_at_hand() -> None:
    assert products_in_question(state("how_to", discourse=AT_HAND)) == ["tarn-2"]
    assert products_in_question(state("warranty", discourse=Discourse(focus=["tarn-2", "tarn-3"]))) == ["tarn-2"]
    assert products_in_question(state("warranty", user=User(page=Page(product_id="tarn-3")))) == ["tarn-3"]
    assert products_in_question(state("warranty")) == []


def test_a_named_product_comes_before_the_one_at_hand() -> None:
    assert products_in_question(state("warranty", named=("tarn-3",), discourse=AT_HAND)) == ["tarn-3"]


def test_a_name_that_is_not_sold_is_not_read_for_the_product_at_hand() -> None:
    unknown = catalog_of(unknown=["Tarn 9"])
    assert products_in_question(state("warranty", catalog=unknown, discourse=AT_HAND)) == []


def test_widening_reads_the_next_likely_intent_and_the_whole_shop() -> None:
    wider = wider_intents(state("warranty"))
    assert wider[0] == "return_policy"
    assert "checkout" not in wider
    assert {"how_to", "product_spec"} <= set(wider)
    assert "non_decision" not in wider
    assert len(wider) == len(set(wider))


def test_a_turn_ends_unless_it_was_just_widened() -> None:
    assert after_respond(state("warranty", widened=True, draft=DRAFT), RUNTIME) == "conclude"
    assert after_respond(state("warranty", draft=DRAFT), RUNTIME) == "conclude"
    assert {intent for intent, _ in tasks(after_respond(state("warranty", widened=True), RUNTIME))} == set(
        wider_intents(state("warranty"))
    )
