"""Memory: what the next turn knows of this one."""

from typing import Any

from graph.concluding.memory import remembered
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn, Pending
from graph.draft import Draft
from graph.turn import Clarification, Confidence, Intent, ProductMatch, Turn

PAST = PastTurn(query="before", standalone_query="before", answer="", outcome="clear")


def turn(*products: str, query: str = "How heavy is it?") -> Turn:
    return Turn(
        thread_id="t",
        turn_id="1",
        query=query,
        standalone_query=f"{query} (Tarn 2)",
        rewritten_by="rules",
        searchable=True,
        live_agent=False,
        products=[ProductMatch(id=key, name=key, method="exact", score=1.0) for key in products],
        intent=Intent(distribution={}, entropy=0.0, selected=["product_spec"], branch="focused"),
        outcome="clear",
        answer="It weighs 1.9 kg [1].",
        sentences=[],
        citations=[],
        retrieved=[],
        confidence=Confidence(score=0.9, label="high"),
        generation="g1",
        prompt_hash="",
        config_hash="",
    )


def draft(**columns: Any) -> Draft:  # noqa: ANN401 - any field
    return Draft(outcome="clear", blocks=[], confidence=0.9, **columns)


def test_the_turn_is_remembered_with_what_it_was_about() -> None:
    [past] = remembered(Discourse(), turn("tarn-2"), draft(attributes=["Weight"])).turns
    assert (past.query, past.standalone_query) == ("How heavy is it?", "How heavy is it? (Tarn 2)")
    assert (past.products, past.intents, past.attributes) == (["tarn-2"], ["product_spec"], ["Weight"])


def test_only_the_latest_turns_are_remembered() -> None:
    after = remembered(Discourse(turns=[PAST] * REMEMBERED_TURNS), turn(), draft())
    assert len(after.turns) == REMEMBERED_TURNS
    assert after.turns[-1].query == "How heavy is it?"


def test_the_focus_is_on_the_products_of_the_latest_product_turn() -> None:
    before = Discourse(focus=["tarn-3"])
    assert remembered(before, turn("tarn-2"), draft()).focus == ["tarn-2"]
    assert remembered(before, turn(), draft()).focus == ["tarn-3"]


def test_a_list_is_kept_in_order_until_the_next_one() -> None:
    shown = remembered(Discourse(), turn(), draft(listed=["tarn-3", "tarn-2"]))
    assert shown.listed == ["tarn-3", "tarn-2"]
    assert remembered(shown, turn("moor-socks"), draft()).listed == ["tarn-3", "tarn-2"]
    assert remembered(shown, turn(), draft(listed=["moor-socks"])).listed == ["moor-socks"]


def test_a_list_of_one_is_what_the_next_question_is_about() -> None:
    assert remembered(Discourse(focus=["tarn-3"]), turn(), draft(listed=["tarn-2"])).focus == ["tarn-2"]
    assert remembered(Discourse(focus=["tarn-3"]), turn(), draft(listed=["tarn-2", "socks"])).focus == ["tarn-3"]


def test_products_are_mentioned_once_latest_first() -> None:
    before = Discourse(mentioned=["tarn-3", "tarn-2"])
    assert remembered(before, turn("tarn-2"), draft(listed=["socks"])).mentioned == ["tarn-2", "socks", "tarn-3"]


def test_a_clarifying_question_waits_for_one_turn() -> None:
    asked = draft(
        clarification=Clarification(question="Which?", options=["Tarn 2"]),
        options={"Tarn 2": "tarn-2"},
        pending_kind="product",
    )
    waiting = remembered(Discourse(), turn(), asked).pending
    assert waiting == Pending(
        kind="product", question="Which?", standalone_query="How heavy is it? (Tarn 2)", options={"Tarn 2": "tarn-2"}
    )
    assert remembered(Discourse(pending=waiting), turn(), draft()).pending is None


def test_the_stated_role_stays() -> None:
    assert remembered(Discourse(role="seller"), turn(), draft()).role == "seller"
