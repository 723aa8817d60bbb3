"""The whole graph: every part a fake, nothing patched, each branch taken."""

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from graph.draft import Block, Draft, Segment, Sentence
from graph.parts import Rewrite
from graph.state import CHECKPOINTED
from graph.turn import Clarification, Page, Style, User
from tests.graph.fakes import (
    BagOfWords,
    FixedIntents,
    KeepingRecorder,
    NamedInQuery,
    RefusingVerifier,
    ScriptedResponder,
    ScriptedRewriter,
    StoppedClock,
    TicketDesk,
    answer,
    make_context,
    quote_first,
    saying,
    span_of,
    whole,
)
from tests.graph.shops import camping_shop
from tests.graph.turns import ask, run

SHOP = camping_shop()
SPEC = SHOP.evidence(["spec:tarn-2"])[0]
WEIGHT = saying("The Tarn 2 weighs 1.9 kg.", span_of(SPEC, "Weight: 1.9 kg"), product_id="tarn-2")
NO_ANSWER = Draft(outcome="no_answer", blocks=[], confidence=0.2, missing=["that"])
QUESTION = "How heavy is the Tarn 2?"
BARE = Rewrite("a human please", "none", searchable=False, live_agent=True)
BESIDE = Rewrite(QUESTION, "rules", searchable=True, live_agent=True)


def test_every_part_can_be_a_fake_and_each_is_used() -> None:
    rewriter = ScriptedRewriter({"and the weight?": Rewrite(QUESTION, "rules")})
    responder, desk, recorder = ScriptedResponder(answer(WEIGHT)), TicketDesk(), KeepingRecorder()
    encoder = BagOfWords()
    context = make_context(
        SHOP,
        encoder=encoder,
        rewriter=rewriter,
        catalog=NamedInQuery(SHOP.products),
        intents=FixedIntents(product_spec=0.97, opinion=0.03),
        responder=responder,
        verifier=RefusingVerifier(support=0.9),
        desk=desk,
        recorder=recorder,
        clock=StoppedClock(),
    )
    turn = ask(context, "and the weight?")
    assert (turn.query, turn.standalone_query, turn.rewritten_by) == ("and the weight?", QUESTION, "rules")
    assert [product.id for product in turn.products] == ["tarn-2"]
    assert turn.intent.distribution["product_spec"] == 0.97
    assert turn.answer == "The Tarn 2 weighs 1.9 kg [1]."
    assert turn.sentences[0].support == 0.9
    assert (turn.confidence.signals["responder"], turn.confidence.signals["support"]) == (0.9, 0.9)
    assert (turn.generation, turn.config_hash, turn.thread_id) == ("g1", "c1", "t1")
    assert responder.questions[0].products[0].name == "Tarn 2"
    assert encoder.encoded
    assert recorder.turns[0].answer == turn.answer
    assert recorder.sources == [["spec:tarn-2"]]
    assert desk.tickets == []


def test_the_product_that_a_question_was_answered_about_is_named_in_it() -> None:
    context = make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT)))
    turn = ask(context, "heavy to carry?", user=User(page=Page(product_id="tarn-2")))
    assert (turn.standalone_query, turn.rewritten_by) == ("heavy to carry for Tarn 2?", "rules")
    assert [(product.id, product.method) for product in turn.products] == [("tarn-2", "page")]


def test_an_answers_quote_is_the_text_at_its_place() -> None:
    [citation] = ask(make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT))), QUESTION).citations
    assert citation.quote == "Weight: 1.9 kg" == SPEC.text[citation.start : citation.end]
    assert (citation.marker, citation.section, citation.generation) == (1, "Weight", "g1")


def test_what_was_streamed_is_the_answer() -> None:
    draft = answer(WEIGHT, WEIGHT)
    styles: tuple[Style, ...] = ("text", "plain", "voice")
    for style in styles:
        context = make_context(SHOP, responder=ScriptedResponder(draft))
        turn, _, pieces = run(context, QUESTION, style=style)
        assert "".join(pieces) == turn.answer != ""


def test_one_clear_intent_is_read_alone_and_several_likely_ones_together() -> None:
    focused = ask(make_context(SHOP, intents=FixedIntents(product_spec=0.98, warranty=0.02)), QUESTION)
    assert (focused.intent.branch, focused.intent.selected) == ("focused", ["product_spec"])
    masses = {"product_spec": 0.4, "warranty": 0.35, "opinion": 0.25}
    broad = ask(make_context(SHOP, intents=FixedIntents(**masses)), QUESTION)
    assert (broad.intent.branch, broad.intent.selected) == ("broad", ["product_spec", "warranty", "opinion"])
    assert "warranty:tarn" in {item.evidence_id for item in broad.retrieved if item.score}
    assert "warranty:tarn" not in {item.evidence_id for item in focused.retrieved if item.score}


def test_a_misread_intent_hides_nothing() -> None:
    turn = ask(make_context(SHOP, intents=FixedIntents(warranty=0.98, product_spec=0.02)), QUESTION)
    assert {item.score for item in turn.retrieved if item.evidence_id == "spec:tarn-2"} == {0.0}


def test_retrieved_evidence_is_given_to_the_responder_in_its_order() -> None:
    responder = ScriptedResponder(quote_first)
    turn = ask(make_context(SHOP, responder=responder), QUESTION)
    given = [item.evidence_id for item, _ in responder.questions[0].evidence]
    assert [item.evidence_id for item in turn.retrieved] == given
    scores = [item.score for item in turn.retrieved]
    assert scores == sorted(scores, reverse=True)


def test_retrieval_widens_once_when_nothing_was_found() -> None:
    responder = ScriptedResponder(NO_ANSWER, answer(WEIGHT))
    turn = ask(make_context(SHOP, intents=FixedIntents(warranty=0.9, opinion=0.1), responder=responder), QUESTION)
    assert turn.outcome == "clear"
    assert turn.widened[0] == "opinion"
    first, second = ({item.evidence_id for item, score in one.evidence if score} for one in responder.questions)
    assert "spec:tarn-2" not in first
    assert first < second


def test_retrieval_widens_only_once() -> None:
    responder = ScriptedResponder(NO_ANSWER)
    turn = ask(make_context(SHOP, responder=responder), QUESTION)
    assert len(responder.questions) == 2
    assert turn.outcome == "no_answer"


def test_a_missing_part_widens_and_a_sure_answer_does_not() -> None:
    partial = ScriptedResponder(answer(WEIGHT).model_copy(update={"missing": ["returns"]}), answer(WEIGHT))
    ask(make_context(SHOP, responder=partial), QUESTION)
    assert len(partial.questions) == 2
    sure = ScriptedResponder(answer(WEIGHT))
    turn = ask(make_context(SHOP, responder=sure), QUESTION)
    assert len(sure.questions) == 1
    assert turn.widened == []


def test_the_audit_says_how_the_search_was_widened() -> None:
    recorder = KeepingRecorder()
    responder = ScriptedResponder(NO_ANSWER)
    intents = FixedIntents(warranty=0.9, opinion=0.1)
    ask(make_context(SHOP, intents=intents, responder=responder, recorder=recorder), QUESTION)
    [turn] = recorder.turns
    assert {"opinion", "how_to"} <= set(turn.widened)
    assert not set(turn.widened) & set(turn.intent.selected)


def test_what_the_verifier_refuses_is_not_shown_but_recorded() -> None:
    recorder = KeepingRecorder()
    draft = answer(WEIGHT, saying("It is a lie.", whole(SPEC)))
    context = make_context(
        SHOP, responder=ScriptedResponder(draft), verifier=RefusingVerifier("lie"), recorder=recorder
    )
    turn = ask(context, QUESTION)
    assert "lie" not in turn.answer
    assert len(turn.citations) == 1
    assert [[one.text for one in kept] for kept in recorder.dropped] == [["It is a lie."]]


def test_a_withheld_sensitive_sentence_is_recorded_and_the_turn_goes_to_review() -> None:
    recorder, desk = KeepingRecorder(), TicketDesk()
    draft = answer(WEIGHT, saying("The Tarn 2 is IP67.", whole(SPEC), product_id="tarn-2"))
    turn = ask(make_context(SHOP, responder=ScriptedResponder(draft), recorder=recorder, desk=desk), QUESTION)
    assert turn.answer == "The Tarn 2 weighs 1.9 kg [1]."
    assert [[one.text for one in kept] for kept in recorder.dropped] == [["The Tarn 2 is IP67."]]
    assert turn.review.required
    assert turn.review.issues[0].startswith("certification (high)")
    assert (turn.escalation, desk.tickets) == (None, [])


def test_the_nearest_fact_of_a_refusal_is_among_what_was_retrieved() -> None:
    draft = Draft(outcome="no_answer", blocks=[], confidence=0.2, missing=["load"])
    context = make_context(SHOP, intents=FixedIntents(warranty=1.0), responder=ScriptedResponder(draft))
    turn = ask(context, "Is the Tarn 2 ATEX certified?")
    assert turn.outcome == "no_answer"
    assert turn.citations
    assert {citation.evidence_id for citation in turn.citations} <= {item.evidence_id for item in turn.retrieved}


def test_when_all_is_refused_there_is_no_answer() -> None:
    context = make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT)), verifier=RefusingVerifier("weighs"))
    turn = ask(context, QUESTION)
    assert turn.outcome == "no_answer"
    assert turn.citations == []
    assert "1.9" not in turn.answer
    assert turn.confidence.label == "low"


def test_a_bare_wish_for_a_person_is_handed_off_and_states_nothing() -> None:
    responder, desk = ScriptedResponder(answer(WEIGHT)), TicketDesk()
    context = make_context(SHOP, rewriter=ScriptedRewriter({"a human please": BARE}), responder=responder, desk=desk)
    turn = ask(context, "a human please")
    assert (turn.outcome, turn.intent.branch, turn.live_agent, turn.searchable) == ("handoff", "handoff", True, False)
    assert turn.escalation == desk.tickets[0]
    assert turn.citations == []
    assert responder.questions == []


def test_beside_a_question_the_answer_comes_first_and_then_the_hand_off() -> None:
    desk = TicketDesk()
    context = make_context(
        SHOP,
        rewriter=ScriptedRewriter({"weight? and get me a human": BESIDE}),
        responder=ScriptedResponder(answer(WEIGHT)),
        desk=desk,
    )
    turn = ask(context, "weight? and get me a human")
    assert turn.outcome == "clear"
    assert turn.answer.startswith("The Tarn 2 weighs 1.9 kg [1].")
    assert turn.answer.count("[1]") == 1
    assert turn.escalation == desk.tickets[0]
    assert len(turn.sentences) == 2
    assert not turn.sentences[-1].factual


def test_browsing_shows_cited_cards_without_asking_the_responder() -> None:
    responder = ScriptedResponder(answer(WEIGHT))
    context = make_context(SHOP, intents=FixedIntents(non_decision=0.9, product_spec=0.1), responder=responder)
    turn = ask(context, "show me something under $30")
    assert (turn.outcome, turn.intent.branch) == ("non_decision", "non_decision")
    assert [one.product_id for one in turn.suggestions] == ["tarn-2-footprint", "moor-socks"]
    assert "[1]" in turn.answer
    assert "[2]" in turn.answer
    assert {citation.product_id for citation in turn.citations} == {"tarn-2-footprint", "moor-socks"}
    assert responder.questions == []


def test_a_greeting_gets_one_opening_question_and_no_products() -> None:
    greeting = Rewrite("hi, I have a problem", "none", searchable=False)
    context = make_context(SHOP, rewriter=ScriptedRewriter({"hi, I have a problem": greeting}))
    turn = ask(context, "hi, I have a problem")
    assert turn.outcome == "non_decision"
    assert turn.suggestions == []
    assert turn.citations == []
    assert turn.answer.endswith("?")
    assert turn.escalation is None


def test_evidence_with_markup_breaks_neither_markers_nor_tables() -> None:
    nasty = saying("<b>Poles</b> | Aluminium\n# x", span_of(SPEC, "Poles: Aluminium"), product_id="tarn-2")
    table = Block(kind="table", columns=["", "Tarn 2"], row_names=["Po|les"], sentences=[nasty])
    draft = Draft(outcome="clear", blocks=[table], confidence=0.9)
    turn = ask(make_context(SHOP, responder=ScriptedResponder(draft)), QUESTION)
    assert [line.count("|") for line in turn.answer.split("\n")] == [3, 3, 3]
    assert turn.answer.endswith("[1] |")


def test_plain_and_spoken_answers_have_citations_but_no_markers() -> None:
    styles: tuple[Style, ...] = ("plain", "voice")
    for style in styles:
        turn = ask(make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT))), QUESTION, style=style)
        assert "[" not in turn.answer
        assert [citation.marker for citation in turn.citations] == [1]
        assert turn.sentences[0].citations == [1]


def test_evidence_travels_as_ids() -> None:
    _, state, _ = run(make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT))), QUESTION)
    state.pop("turn")
    assert "Aluminium" not in repr(state)


@pytest.mark.parametrize("query", [QUESTION, "show me tents", "I want to talk to a person"])
def test_a_checkpoint_gives_back_the_types_that_a_state_holds(query: str) -> None:
    _, state, _ = run(make_context(SHOP, responder=ScriptedResponder(answer(WEIGHT))), query)
    serializer = JsonPlusSerializer(allowed_msgpack_modules=CHECKPOINTED)
    assert serializer.loads_typed(serializer.dumps_typed(state)) == state


def test_every_node_that_ran_is_timed() -> None:
    timings = ask(make_context(SHOP), QUESTION).timings_ms
    assert {"rewrite", "catalog_search", "intent", "retrieve", "reduce", "respond", "conclude"} <= set(timings)
    assert "browse" not in timings
    assert all(ms >= 0 for ms in timings.values())


def test_a_clarifying_question_comes_with_its_options() -> None:
    asking = Draft(
        outcome="ambiguous",
        blocks=[Block(sentences=[Sentence(segments=[Segment(text="Which one?")], factual=False)])],
        confidence=0.5,
        clarification=Clarification(question="Which one?", options=["Tarn 2"]),
        options={"Tarn 2": "tarn-2"},
        pending_kind="product",
    )
    turn, state, _ = run(make_context(SHOP, responder=ScriptedResponder(asking)), "How heavy is the Tarn?")
    assert turn.outcome == "ambiguous"
    assert turn.clarification == asking.clarification
    assert state["discourse"].pending.options == {"Tarn 2": "tarn-2"}
