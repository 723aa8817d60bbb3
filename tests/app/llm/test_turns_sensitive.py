"""Sensitive claims of a served model: withheld without a primary source, and put before a person of the shop."""

import pytest

from app import Assistant
from tests.app.llm.turns import answering, ask, shown
from tests.llm_server.server import LlmServer

WEIGHT = "How heavy is the Aurora X2?"
TRUE = "The Aurora X2 weighs 172 g [spec:aurora-x2]."
UNSTATED = {
    "certification (high)": "The Aurora X2 is certified to MIL-STD-810 [spec:aurora-x2].",
    "safety (high)": "The Aurora X2 is safe for children [description:aurora-x2].",
    "warranty (medium)": "The Aurora X2 has a ten-year warranty [spec:aurora-x2].",
}


@pytest.mark.parametrize(("title", "claim"), UNSTATED.items())
def test_what_no_primary_source_says_is_withheld_and_reviewed_with_its_severity(
    title: str, claim: str, assistant: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = answering(f"outcome: clear\n{TRUE} {claim}")
    turn = ask(assistant, WEIGHT, thread=title)
    assert turn.answer == "The Aurora X2 weighs 172 g [1]."
    assert turn.review.required
    assert any(issue.startswith(title) and "withheld" in issue for issue in turn.review.issues)
    assert turn.escalation is None


@pytest.mark.parametrize(("title", "claim"), UNSTATED.items())
def test_an_answer_of_nothing_else_is_the_local_one_and_reviewed(
    title: str, claim: str, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = answering(f"outcome: clear\n{claim}")
    turn, without = ask(assistant, WEIGHT), ask(local, WEIGHT)
    assert shown(turn) | {"review": None} == shown(without) | {"review": None}
    assert not without.review.required
    assert any(issue.startswith(title) for issue in turn.review.issues)


@pytest.mark.parametrize("text", ["Is the Aurora X2 certified to MIL-STD-810?", "Is the Brume Kettle BPA free?"])
@pytest.mark.parametrize("verdict", ["Yes. ", "No. ", ""])
def test_a_question_for_a_claim_that_no_primary_source_makes_is_answered_with_neither_yes_nor_no(
    text: str, verdict: str, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    name = "Aurora X2 is certified to MIL-STD-810" if "Aurora" in text else "Brume Kettle is BPA free"
    endpoint.answer = answering(f"outcome: clear\n{verdict}The {name} [review:r-x2-1].")
    turn = ask(assistant, text)
    assert turn.outcome == "no_answer"
    assert turn.answer == ask(local, text).answer
    assert turn.review.required


def test_a_claim_in_the_words_of_a_primary_source_is_shown(assistant: Assistant, endpoint: LlmServer) -> None:
    endpoint.answer = answering("outcome: clear\nPhones have a two-year warranty [warranty:warranty-phones].")
    turn = ask(assistant, "What warranty does the Aurora X2 have?")
    assert (turn.answered_by, turn.review.required) == ("llm", False)
    assert turn.answer == "Phones have a two-year warranty [1]."
