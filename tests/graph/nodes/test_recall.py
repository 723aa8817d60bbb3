"""The recall node: what was said before counts for the search as far as the question goes on from it."""

from typing import Any

from langgraph.runtime import Runtime

from graph.discourse import Discourse, PastTurn
from graph.nodes.recall import recall
from graph.state import TurnState
from tests.graph.fakes import catalog_of, intent_of, make_context
from tests.graph.shops import camping_shop


def run(query: str, *earlier: tuple[str, float | None], named: tuple[str, ...] = ()) -> dict[str, Any]:
    turns = [
        PastTurn(query=text, standalone_query=text, answer=f"On {text}", outcome="clear", continues=continues)
        for text, continues in earlier
    ]
    catalog = catalog_of(*named)
    intent = intent_of("how_to", "return_policy")
    state = TurnState(query=query, catalog=catalog, intent=intent, discourse=Discourse(turns=turns))
    return recall(state, Runtime(context=make_context(camping_shop())))


def test_a_first_question_recalls_nothing() -> None:
    update = run("How do I cancel an order?")
    assert (update["continues"], update["recalled"]) == (1.0, [])


def test_a_question_that_names_a_product_recalls_nothing() -> None:
    assert run("How heavy is the Tarn 2?", ("cancelling", None), named=("tarn-2",)) == {}


def test_question_and_answer_of_earlier_turns_count_as_far_as_all_later_ones_went_on() -> None:
    update = run("and then?", ("cancelling", None), ("refunds", 0.5))
    weights = {one.text: one.weight for one in update["recalled"]}
    assert weights["refunds"] == weights["On refunds"]
    assert weights["cancelling"] < weights["refunds"]
    assert 0 < (update["continues"] or 0) <= 1
