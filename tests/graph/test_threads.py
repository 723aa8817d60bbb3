"""Threads: what was said before is known, survives a restart, and stays in its own thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from graph.build import TurnGraph, build_graph
from graph.draft import Block, Draft, Segment, Sentence
from graph.parts import Rewrite
from graph.turn import Clarification, User
from tests.graph.fakes import (
    FixedIntents,
    ScriptedResponder,
    ScriptedRewriter,
    answer,
    make_context,
    saying,
    span_of,
)
from tests.graph.shops import camping_shop
from tests.graph.turns import ask, run

SHOP = camping_shop()
SPEC = SHOP.evidence(["spec:tarn-2"])[0]
WEIGHT = saying("The Tarn 2 weighs 1.9 kg.", span_of(SPEC, "Weight: 1.9 kg"), product_id="tarn-2")


@contextmanager
def opened(path: Path) -> Iterator[TurnGraph]:
    with SqliteSaver.from_conn_string(str(path)) as saver:
        yield build_graph(saver)


def test_a_thread_survives_reopening(tmp_path: Path) -> None:
    rewriter = ScriptedRewriter()
    context = make_context(SHOP, rewriter=rewriter, responder=ScriptedResponder(answer(WEIGHT)))
    with opened(tmp_path / "threads.db") as graph:
        ask(context, "How heavy is the Tarn 2?", graph=graph)
    with opened(tmp_path / "threads.db") as graph:
        ask(context, "and its price?", graph=graph)
    [before] = rewriter.seen[1].turns
    assert before.query == "How heavy is the Tarn 2?"
    assert before.answer == "The Tarn 2 weighs 1.9 kg [1]."
    assert rewriter.seen[1].focus == ["tarn-2"]


def test_threads_know_nothing_of_each_other(tmp_path: Path) -> None:
    rewriter = ScriptedRewriter()
    with opened(tmp_path / "threads.db") as graph:
        for thread in ("one", "two"):
            ask(make_context(SHOP, rewriter=rewriter), "How heavy is the Tarn 2?", graph=graph, thread=thread)
    assert [len(seen.turns) for seen in rewriter.seen] == [0, 0]


def test_without_a_checkpointer_every_turn_is_the_first() -> None:
    rewriter = ScriptedRewriter()
    graph = build_graph()
    for _ in range(2):
        ask(make_context(SHOP, rewriter=rewriter), "How heavy is the Tarn 2?", graph=graph)
    assert [len(seen.turns) for seen in rewriter.seen] == [0, 0]


def test_what_one_turn_found_is_not_found_again_in_the_next() -> None:
    graph = build_graph(InMemorySaver())
    context = make_context(SHOP, intents=FixedIntents(warranty=1.0))
    first, _, _ = run(context, "What warranty has the Tarn 2?", graph=graph)
    assert first.retrieved
    second, state, _ = run(
        make_context(SHOP, rewriter=ScriptedRewriter({"hi": Rewrite("hi", "none", searchable=False)})),
        "hi",
        graph=graph,
    )
    assert second.retrieved == []
    assert state["hits"] == []
    assert second.citations == []
    assert set(second.timings_ms) < set(first.timings_ms) | {"browse"}


def test_each_turn_may_widen_once() -> None:
    graph = build_graph(InMemorySaver())
    responder = ScriptedResponder(answer(WEIGHT, confidence=0.1))
    for _ in range(2):
        ask(make_context(SHOP, responder=responder), "How heavy is the Tarn 2?", graph=graph)
    assert len(responder.questions) == 4


def test_markers_start_anew_in_every_turn() -> None:
    graph = build_graph(InMemorySaver())
    context = make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT)))
    turns = [ask(context, "How heavy is the Tarn 2?", graph=graph) for _ in range(2)]
    assert [citation.marker for turn in turns for citation in turn.citations] == [1, 1]


def test_a_user_stays_until_another_is_given() -> None:
    graph = build_graph(InMemorySaver())
    rewriter = ScriptedRewriter()
    context = make_context(SHOP, rewriter=rewriter)
    for user in (User(region="US"), None, User(region="EU")):
        ask(context, "How heavy is the Tarn 2?", graph=graph, user=user)
    assert [user.region for user in rewriter.users] == ["US", "US", "EU"]


def test_a_role_once_stated_holds_for_the_thread() -> None:
    graph = build_graph(InMemorySaver())
    responder = ScriptedResponder(answer(WEIGHT))
    rewriter = ScriptedRewriter({"as a seller": Rewrite("as a seller", "none", role="seller")})
    context = make_context(SHOP, rewriter=rewriter, responder=responder)
    for query in ("as a seller", "How heavy is the Tarn 2?"):
        ask(context, query, graph=graph)
    assert [question.user.role for question in responder.questions] == ["seller", "seller"]


def test_a_region_once_given_holds_for_the_thread_unless_the_user_has_one() -> None:
    graph = build_graph(InMemorySaver())
    responder = ScriptedResponder(answer(WEIGHT))
    rewriter = ScriptedRewriter({"EU": Rewrite("Do you deliver for EU?", "rules", region="EU")})
    context = make_context(SHOP, rewriter=rewriter, responder=responder)
    for query, user in (("EU", User()), ("How heavy is the Tarn 2?", User()), ("And now?", User(region="US"))):
        ask(context, query, graph=graph, user=user)
    assert [question.user.region for question in responder.questions] == ["EU", "EU", "US"]


def test_a_question_that_waits_for_a_region_is_not_searched_more_widely() -> None:
    waiting = Draft(
        outcome="ambiguous",
        blocks=[Block(sentences=[Sentence(segments=[Segment(text="Which region?")], factual=False)])],
        confidence=0.3,
        clarification=Clarification(question="Which region?", options=["EU"]),
        options={"EU": "EU"},
        pending_kind="region",
    )
    graph = build_graph(InMemorySaver())
    responder = ScriptedResponder(waiting)
    turn, state, _ = run(make_context(SHOP, responder=responder), "Do you deliver for free?", graph=graph)
    assert len(responder.questions) == 1
    assert turn.widened == []
    assert state["discourse"].pending.options == {"EU": "EU"}


def test_a_policy_asked_next_is_read_for_the_product_at_hand() -> None:
    graph = build_graph(InMemorySaver())
    responder = ScriptedResponder(answer(WEIGHT))
    ask(make_context(SHOP, responder=responder), "How heavy is the Tarn 2?", graph=graph)
    policies = make_context(SHOP, responder=responder, intents=FixedIntents(return_policy=1.0))
    turn = ask(policies, "Can I return it?", graph=graph)
    assert [(match.id, match.method) for match in turn.products] == [("tarn-2", "session")]
    assert "return_policy:tents" in {item.evidence_id for item in turn.retrieved}
    assert [product.id for product in responder.questions[-1].context] == ["tarn-2"]
