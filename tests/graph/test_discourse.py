"""Memory: what the next turn knows of this one."""

from typing import Any

from graph import discourse
from graph.answering.candidate import paragraph, remark
from graph.discourse import REMEMBERED_TURNS, Discourse, PastTurn, Pending
from graph.draft import Draft
from graph.language.locale import reply
from graph.turn import Citation, Clarification, Confidence, Intent, ProductMatch, Suggestion, Turn
from ingestion.evidence import Product

CATALOG = {key: Product(id=key, name=name) for key, name in {"tarn-2": "Tarn 2", "tarn-3": "Tarn 3"}.items()}
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


def remembered(before: Discourse, past: Turn, draft: Draft) -> Discourse:
    return discourse.remembered(before, past, draft, CATALOG)


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


def test_what_an_answer_singles_out_of_several_is_spoken_of_next() -> None:
    after = remembered(Discourse(), turn("tarn-2", "tarn-3"), draft(focus=["tarn-3"]))
    assert after.focus == ["tarn-3"]
    assert remembered(Discourse(), turn("tarn-2", "tarn-3"), draft()).focus == ["tarn-2", "tarn-3"]


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


def test_the_offer_of_a_person_waits_for_one_turn() -> None:
    asked = reply("next_step")
    offering = draft().model_copy(update={"blocks": [paragraph(remark("I can't confirm it."), remark(asked))]})
    waiting = remembered(Discourse(), turn(), offering).pending
    assert waiting == Pending(kind="person", question=asked, standalone_query="How heavy is it? (Tarn 2)", options={})
    assert remembered(Discourse(pending=waiting), turn(), draft()).pending is None


def test_the_stated_role_stays() -> None:
    assert remembered(Discourse(role="seller"), turn(), draft()).role == "seller"


def test_what_is_offered_instead_of_something_unknown_is_a_list() -> None:
    offered = [Suggestion(product_id="tarn-2", name="Tarn 2"), Suggestion(product_id="tarn-3", name="Tarn 3")]
    after = remembered(Discourse(focus=["socks"]), turn(), draft(suggestions=offered))
    assert (after.listed, after.focus) == (["tarn-2", "tarn-3"], ["socks"])


def _citing(answer: str) -> Turn:
    places = {"section": None, "page": None, "url": None, "updated_at": None, "start": 0, "end": 5, "generation": "g1"}
    cited = Citation(
        marker=1, evidence_id="e", source_type="spec", title="", product_id="tarn-2", quote="5.1", **places
    )
    return turn().model_copy(update={"answer": answer, "citations": [cited]})


def test_a_turn_that_asked_for_no_product_was_about_the_one_its_answer_names() -> None:
    after = remembered(Discourse(), _citing("The Tarn 2 is the warmest [1]."), draft())
    assert (after.focus, after.turns[-1].products) == (["tarn-2"], ["tarn-2"])
    assert remembered(Discourse(), _citing("The manual says: do not wash it [1]."), draft()).focus == []
