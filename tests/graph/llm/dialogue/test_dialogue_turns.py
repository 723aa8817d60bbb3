"""Whole turns with a dialogue manager: what it changes in them, and what never shows."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph.build import build_graph
from graph.catalog import LocalCatalog
from graph.llm.dialogue import DialogueManager
from graph.llm.model import LanguageModelError
from graph.parts import Context
from graph.rewriting import RuleRewriter
from graph.turn import Turn, Usage
from tests.graph.fakes import FixedIntents, ScriptedModel, ScriptedResponder, always_asks, make_context, quote_first
from tests.graph.llm.dialogue.talking import reply
from tests.graph.shops import PRODUCTS, document, make_shop
from tests.graph.turns import run

FIRST = "Hello there?"
ASIDE = "and how do I call it off?"
FOUND = "help_article:cancel-order"
SIMULATED = "To cancel an order open My orders within sixty moons."
SHOP = make_shop(
    PRODUCTS,
    documents=[
        document("cancel-order", "To cancel an order open My orders and choose Cancel."),
        document("gift-wrapping", "Gift wrapping is chosen at checkout."),
    ],
)


def shop_with(model: ScriptedModel, *, always: bool = False) -> Context:
    names = LocalCatalog(SHOP.products)
    local = RuleRewriter(names, flags=always_asks)
    return make_context(
        SHOP,
        rewriter=DialogueManager(local, model, names, always=always),
        catalog=names,
        intents=FixedIntents(how_to=1.0),
        responder=ScriptedResponder(quote_first),
    )


def talk(context: Context, *queries: str) -> list[tuple[Turn, list[str]]]:
    """Turns of one thread, each with the texts that were shown while it went on."""
    graph = build_graph(InMemorySaver())
    turns = [run(context, query, graph=graph) for query in queries]
    return [(turn, pieces) for turn, _, pieces in turns]


def simulating(text: str) -> ScriptedModel:
    return ScriptedModel(
        reply(standalone_query=ASIDE, intent="The customer has second thoughts.", simulated_response=text)
    )


def test_a_simulated_response_finds_what_the_question_does_not_and_never_shows() -> None:
    _, (bare, _) = talk(shop_with(ScriptedModel(LanguageModelError("closed"))), FIRST, ASIDE)
    _, (turn, pieces) = talk(shop_with(simulating(SIMULATED)), FIRST, ASIDE)
    assert FOUND not in [item.evidence_id for item in bare.retrieved]
    assert [citation.evidence_id for citation in turn.citations] == [FOUND]
    shown = turn.model_dump_json() + "".join(pieces)
    assert "sixty moons" not in shown
    assert "second thoughts" not in shown
    assert turn.standalone_query == ASIDE


def test_nothing_of_it_is_left_in_the_next_turn() -> None:
    model = simulating(SIMULATED)
    graph, context = build_graph(InMemorySaver()), shop_with(model)
    states = [run(context, query, graph=graph)[1] for query in (FIRST, ASIDE, "Do you sell blue envelopes?")]
    assert [len(state["refined"]) for state in states] == [0, 2, 0]
    assert [state["turn"].usage.llm_calls for state in states] == [0, 1, 0]


def test_a_first_turn_that_names_everything_asks_no_model() -> None:
    model = ScriptedModel(reply())
    [(turn, _)] = talk(shop_with(model), "How heavy is the Tarn 2?")
    assert model.requests == []
    assert turn.usage == Usage()


@pytest.mark.parametrize("always", [True, False])
def test_a_turn_asks_the_model_at_most_once(always: bool) -> None:  # noqa: FBT001 - a parameter of the test
    model = ScriptedModel(reply(standalone_query=ASIDE, simulated_response="Nothing like it."))
    *_, (turn, _) = talk(shop_with(model, always=always), FIRST, ASIDE)
    assert len(model.requests) == 1 + always
    assert turn.usage == Usage(llm_calls=1, prompt_tokens=900, cached_tokens=600, completion_tokens=80)


def test_a_failure_is_told_in_the_turn_it_befell() -> None:
    failing = ScriptedModel(LanguageModelError("no answer within 8 s"))
    (first, _), (turn, _) = talk(shop_with(failing), FIRST, ASIDE)
    assert (first.degraded, turn.degraded) == (None, "rewrite: no answer within 8 s")
    assert turn.rewritten_by != "llm"


def test_the_models_question_is_that_of_the_turn() -> None:
    text = "And how do I call hello off?"
    _, (turn, _) = talk(shop_with(ScriptedModel(reply(standalone_query=text))), FIRST, ASIDE)
    assert (turn.standalone_query, turn.rewritten_by) == (text, "llm")


def test_a_wish_for_a_person_that_the_model_sees_hands_over() -> None:
    model = ScriptedModel(reply(standalone_query=ASIDE, live_agent=True))
    _, (turn, _) = talk(shop_with(model), FIRST, ASIDE)
    assert turn.live_agent
    assert turn.escalation is not None
