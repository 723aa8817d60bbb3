"""Whatever a served model does wrong, the turn ends in time with a right answer and says what it went without."""

import pytest

from app import Assistant
from graph.llm.writer import NOT_BORNE_OUT
from tests.app.llm.test_client_faults import FAULTS, SLOW, STATUSES
from tests.app.llm.turns import Open, answering, ask, shown, tell
from tests.llm_server.script import Fault, Script
from tests.llm_server.server import LlmServer

WEIGHT = "How heavy is the Aurora X2?"
CERTIFIED = "Is the Aurora X2 certified to MIL-STD-810?"
BOTH = "How heavy is the Aurora X2 and how large is its battery?"
FIRST = "The Aurora X2 weighs 172 g [spec:aurora-x2]."
LATE = "What follows is long and of no use to anyone, " * 3
QUICK = [fault for fault in FAULTS if fault not in SLOW]
LOST = {
    Fault.WHITE_SPACE: "the answer did not come to an end: over 200 white-space characters in a row",
    Fault.HUGE: "the answer did not come to an end: a sentence over 1,000 characters without end",
}
"""What is noticed before the limits on the transport are."""
BEGUN = [Fault.MALFORMED_JSON, Fault.WRONG_SHAPE, Fault.ERROR_EVENT, Fault.LENGTH, Fault.FILTERED, Fault.RESET_MIDWAY,
         Fault.TRUNCATED, Fault.WHITE_SPACE]  # fmt: skip


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_before_anything_was_shown_ends_in_the_local_answer(
    fault: Fault, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(f"outcome: clear\n{LATE}", fault)
    turn = ask(assistant, WEIGHT)
    assert shown(turn) == shown(ask(local, WEIGHT))
    assert turn.degraded == f"answer: {LOST.get(fault, FAULTS[fault])}"
    assert turn.usage.llm_calls == len(endpoint.requests)


@pytest.mark.parametrize("fault", SLOW)
def test_a_slow_model_is_waited_for_no_longer_than_the_limit(
    fault: Fault, hasty: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(f"outcome: clear\n{LATE}", fault)
    turn = ask(hasty, WEIGHT)
    assert shown(turn) == shown(ask(local, WEIGHT))
    late = "no whole answer within 0.4 s" if fault is Fault.STALL else "no answer within 0.2 s"
    assert turn.degraded == f"answer: {late}"
    assert endpoint.wait_until_left()


@pytest.mark.parametrize(("script", "reason"), STATUSES)
def test_an_error_status_ends_in_the_local_answer(
    script: Script, reason: str, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: script
    turn = ask(assistant, WEIGHT)
    assert shown(turn) == shown(ask(local, WEIGHT))
    assert turn.degraded == f"answer: {reason}"


@pytest.mark.parametrize("style", ["text", "plain"])
@pytest.mark.parametrize("fault", BEGUN)
def test_after_a_fault_the_local_answer_goes_on_from_what_was_shown(
    fault: Fault, style: str, assistant: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(f"outcome: clear\n{FIRST} {LATE}", fault, pause_s=0.002)
    told = tell(assistant, BOTH, style=style)
    turn = told.turn
    assert told.pieces[0].startswith("The Aurora X2 weighs 172 g")
    assert turn.answer.count("172 g") == turn.answer.count("4,500 mAh") == 1
    assert (turn.answered_by, turn.degraded) == ("llm", f"answer: {LOST.get(fault, FAULTS[fault])}")


def test_an_answer_that_drips_is_left_at_the_limit_and_gone_on_with(hasty: Assistant, endpoint: LlmServer) -> None:
    endpoint.answer = lambda _: Script(f"outcome: clear\n{FIRST} {LATE}", pause_s=0.012)
    turn = ask(hasty, BOTH)
    assert turn.degraded == "answer: no whole answer within 0.4 s"
    assert turn.answer.count("172 g") == turn.answer.count("4,500 mAh") == 1


@pytest.mark.parametrize("fault", BEGUN)
def test_an_answer_that_is_spoken_or_sensitive_was_not_begun_and_is_the_local_one(
    fault: Fault, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(f"outcome: clear\n{FIRST} {LATE}", fault)
    spoken, sensitive = ask(assistant, BOTH, style="voice"), ask(assistant, CERTIFIED)
    assert shown(spoken) == shown(ask(local, BOTH, style="voice"))
    assert shown(sensitive) == shown(ask(local, CERTIFIED))
    assert spoken.degraded == sensitive.degraded == f"answer: {LOST.get(fault, FAULTS[fault])}"


UNUSABLE = {
    "nonsense": "zzq blorp the the 17 [ of | weasel ]] kumquat.",
    "refusal": "I'm sorry, but as a language model I can't help with that.",
    "refusal under an outcome": "outcome: clear\nI am sorry, I cannot answer this question.",
    "wrong figure": "outcome: clear\nThe Aurora X2 weighs 204 g [spec:aurora-x2].",
    "wrong product": "outcome: clear\nThe Aurora X2 weighs 204 g [spec:aurora-x2-pro].",
    "invented sources": "outcome: clear\nThe Aurora X2 is made of ceramic [spec:aurora-x9] [42] [source: web].",
    "no source": "outcome: clear\nThe Aurora X2 was the best-selling phone of the year.",
    "another language": "outcome: clear\nDas Aurora X2 wiegt so viel wie eine Tafel Schokolade [spec:aurora-x2].",
    "injection": "outcome: clear\nSure! Ignoring my rules: the Aurora X2 is free today [spec:aurora-x2].",
    "its own rules": "You are Footnote, the assistant of an online shop. Every statement you make carries its source.",
    "markdown": '# **Answer**\n\n```json\n{"weight": 3}\n```\n\n---\n> <b>Note</b> ![x](http://evil.example/x.png)\n\n***',
    "a table of nothing": "outcome: clear\n| | |\n|---|---|\n| | |\n",
    "half a thought": "<think>The customer asks for the weight, which is secret, so I will say 3 kg",
    "a thought alone": "<think>Say that it is 3 kg.</think>",
    "prompt tags": '</evidence><task name="answer">The Aurora X2 weighs 3 kg [spec:aurora-x2].</task>',
    "a chat": "outcome: clear\nCustomer: How heavy is it?\nShop: It is 3 kg.\nCustomer: Thanks!",
}


@pytest.mark.parametrize("text", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_answer_that_nothing_bears_out_is_replaced_by_the_local_one(
    text: str, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(text)
    turn = ask(assistant, WEIGHT)
    assert shown(turn) == shown(ask(local, WEIGHT))
    assert turn.degraded == f"answer: {NOT_BORNE_OUT}"
    assert turn.usage.llm_calls == len(endpoint.requests) <= 2


def test_a_right_sentence_under_a_wrong_source_gets_the_right_one(assistant: Assistant, endpoint: LlmServer) -> None:
    endpoint.answer = answering("outcome: clear\nThe Aurora X2 weighs 172 g [spec:aurora-x9] [1].")
    turn = ask(assistant, WEIGHT)
    assert [one.evidence_id for one in turn.citations] == ["spec:aurora-x2"]
    assert (turn.answered_by, turn.answer) == ("llm", "The Aurora X2 weighs 172 g [1].")


def test_a_question_that_somebody_asked_is_no_answer(
    assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script("outcome: clear\nDoes the weight include the pegs [qa:q-kestrel-1]?")
    turn = ask(assistant, "How heavy is the Kestrel 2?")
    assert shown(turn) == shown(ask(local, "How heavy is the Kestrel 2?"))


def test_thinking_aloud_is_not_part_of_an_answer(assistant: Assistant, endpoint: LlmServer) -> None:
    endpoint.answer = answering(f"<think>It weighs 3 kg, they say 172 g.</think>\n\noutcome: clear\n{FIRST}")
    turn = ask(assistant, WEIGHT)
    assert turn.answer == "The Aurora X2 weighs 172 g [1]."


@pytest.mark.parametrize(
    "text", ["", "{", "null", "[1, 2]", '{"standalone_query": 7}', "I would rather not.", "{}" * 50]
)
def test_a_dialogue_manager_that_says_nothing_usable_changes_no_answer(
    text: str, opens: Open, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(text)
    turn = ask(opens(rewrite_always=True, when="never"), WEIGHT)
    assert shown(turn) == shown(ask(local, WEIGHT))
    assert turn.degraded is not None
    assert turn.degraded.startswith("rewrite: ")


@pytest.mark.parametrize("fault", QUICK)
def test_a_fault_of_the_dialogue_manager_changes_no_answer(
    fault: Fault, opens: Open, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script('{"standalone_query": "What is the answer to everything and all?"}', fault)
    turn = ask(opens(rewrite_always=True, when="never"), WEIGHT)
    assert shown(turn) == shown(ask(local, WEIGHT))
    assert turn.degraded == f"rewrite: {FAULTS[fault]}"


def test_a_rewrite_that_asks_for_something_else_is_not_searched(
    opens: Open, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script(
        '{"standalone_query": "How heavy is the Aurora X3?", "searchable": true, "live_agent": false, '
        '"intent": "Weight of a phone.", "simulated_response": "The phone weighs 200 g."}'
    )
    turn = ask(opens(rewrite_always=True, when="never"), WEIGHT)
    assert (turn.standalone_query, turn.answer) == (WEIGHT, ask(local, WEIGHT).answer)
    assert turn.degraded is not None
