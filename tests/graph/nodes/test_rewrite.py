"""The rewrite node: the question stands alone, and nothing of the last turn is left."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph.discourse import Discourse
from graph.draft import Draft, Dropped
from graph.nodes.rewrite import rewrite
from graph.parts import Rewrite
from graph.state import TurnState
from graph.turn import Retrieved, Role, Usage, User
from tests.graph.fakes import ScriptedRewriter, make_context
from tests.graph.shops import camping_shop


def run(state: TurnState, **known: Rewrite) -> tuple[dict[str, Any], ScriptedRewriter]:
    rewriter = ScriptedRewriter(known)
    return rewrite(state, Runtime(context=make_context(camping_shop(), rewriter=rewriter))), rewriter


def test_the_rewriters_result_is_kept_whole() -> None:
    found = Rewrite("How heavy is it?", "rules", searchable=False, live_agent=True, products=("tarn-2",))
    update, _ = run(TurnState(query="weight"), weight=found)
    assert (update["standalone_query"], update["rewritten_by"]) == ("How heavy is it?", "rules")
    assert (update["searchable"], update["live_agent"], update["resolved"]) == (False, True, ["tarn-2"])


def test_what_it_cost_and_went_without_is_told() -> None:
    usage = Usage(llm_calls=1, prompt_tokens=900)
    update, _ = run(TurnState(query="weight"), weight=Rewrite("weight", "none", usage=usage, degraded="rewrite: late"))
    assert update["usage"] == Overwrite(usage)
    assert update["degraded"] == Overwrite(["rewrite: late"])


def test_refined_texts_together_count_no_more_than_the_question() -> None:
    update, _ = run(TurnState(query="weight"), weight=Rewrite("weight", "none", refined=("one", "other")))
    assert [one.text for one in update["refined"]] == ["one", "other"]
    assert 0 < sum(one.weight for one in update["refined"]) <= 1


def test_a_first_turn_needs_no_more_than_a_query() -> None:
    update, rewriter = run(TurnState(query="hi"))
    assert update["style"] == "text"
    assert rewriter.seen[0].turns == []
    assert rewriter.users[0].region is None


def test_what_the_last_turn_left_is_forgotten() -> None:
    left = TurnState(
        query="hi",
        widened=True,
        draft=Draft(outcome="clear", blocks=[], confidence=1.0),
        dropped=[Dropped(text="a")],
        retrieved=[Retrieved(evidence_id="a", score=1.0)],
    )
    update, _ = run(left)
    assert (update["widened"], update["draft"], update["dropped"], update["retrieved"]) == (False, None, [], [])
    assert update["hits"] == Overwrite([])
    assert update["timings_ms"] == Overwrite({})
    assert (update["refined"], update["degraded"]) == ([], Overwrite([]))
    assert update["usage"] == Overwrite(Usage())


def test_a_caller_over_the_network_gives_plain_data() -> None:
    """So does a conversation that an earlier version kept."""
    plain: Any = {"query": "hi", "user": {"region": "EU"}, "discourse": {"focus": ["tarn-2"]}}
    update, rewriter = run(plain)
    assert (rewriter.users[0].region, update["discourse"].focus) == ("EU", ["tarn-2"])


def roles(chosen: Role | None, given: Role | None, stated: Role | None) -> tuple[Role | None, Role | None]:
    """The role of the user in this turn, and the one the thread remembers."""
    state = TurnState(query="q", user=User(role=given), discourse=Discourse(role=stated))
    update, _ = run(state, q=Rewrite("q", "none", role=chosen))
    return update["user"].role, update["discourse"].role


def test_a_role_chosen_now_comes_first_and_is_remembered() -> None:
    assert roles("seller", "buyer", "buyer") == ("seller", "seller")


def test_a_role_given_by_the_page_comes_before_one_stated_earlier() -> None:
    assert roles(None, "buyer", "seller") == ("buyer", "seller")
    assert roles(None, None, "seller") == ("seller", "seller")
