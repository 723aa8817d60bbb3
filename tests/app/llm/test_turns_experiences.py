"""What is asked for beside the answer: at once, on the same prefix, and never at the answer's cost."""

import threading
from pathlib import Path

import pytest

from app import Assistant
from app.errors import InputError
from tests.app.command_line import Run
from tests.app.llm.sensible import sensible, task_of
from tests.app.llm.turns import Open, ask, shown, tasks
from tests.llm_server.exchange import LONG_S
from tests.llm_server.script import Fault, Script
from tests.llm_server.server import Body, LlmServer

STORAGE = "How much storage does the Aurora X2 have?"
ALL = ("followups", "blurb", "judge")


def test_everything_that_is_asked_for_comes_with_the_turn(assistant: Assistant, endpoint: LlmServer) -> None:
    turn = ask(assistant, STORAGE, experiences=ALL, thread="beside")
    assert turn.followups
    assert all("Aurora X2" in one for one in turn.followups)
    assert turn.blurb is not None
    assert "Aurora X2" in turn.blurb.text
    assert turn.blurb.evidence_ids == ["spec:aurora-x2"]
    assert turn.judgement is not None
    assert (turn.judgement.judge, turn.judgement.relevancy) == ("scripted", 5)
    assert sorted(tasks(endpoint.requests)) == ["answer", "blurb", "followups", "judge"]
    assert turn.usage.llm_calls == 4
    assert turn.usage.cached_tokens > turn.usage.prompt_tokens / 2
    assert assistant.records.history("beside") == [turn]


def test_nothing_is_asked_for_unasked(assistant: Assistant, endpoint: LlmServer) -> None:
    turn = ask(assistant, STORAGE)
    assert tasks(endpoint.requests) == ["answer"]
    assert (turn.blurb, turn.judgement) == (None, None)


def test_an_experience_that_does_not_exist_is_refused_by_name(assistant: Assistant, endpoint: LlmServer) -> None:
    with pytest.raises(InputError, match=r"no 'poem'.*followups, blurb, judge"):
        assistant.ask(STORAGE, experiences=["poem"])
    assert endpoint.requests == []


def test_the_command_line_refuses_it_too(run: Run, index: Path) -> None:
    result = run("ask", STORAGE, "--index", str(index), "--with", "poem")
    assert result.status != 0
    assert "There is no 'poem' to ask for" in result.err.replace("\n", " ")


def test_the_command_line_shows_what_was_asked_for(
    run: Run, index: Path, endpoint: LlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTNOTE_LLM__BASE_URL", endpoint.url)
    monkeypatch.setenv("FOOTNOTE_LLM__MODEL", endpoint.model)
    result = run("ask", STORAGE, "--index", str(index), "--with", "blurb", "--with", "judge", "--json")
    assert result.status == 0, result.err
    assert '"judge": "scripted"' in result.out
    assert sorted(tasks(endpoint.requests)) == ["answer", "blurb", "judge"]


def test_a_judge_that_is_local_asks_no_model(opens: Open, endpoint: LlmServer) -> None:
    assistant = opens(judge="local")
    turn = ask(assistant, STORAGE, experiences=ALL)
    assert sorted(tasks(endpoint.requests)) == ["answer", "blurb", "followups"]
    assert turn.judgement is None
    assert "judge" not in assistant.experiences


def test_they_run_at_once_and_begin_when_the_answer_does(assistant: Assistant, endpoint: LlmServer) -> None:
    together, early = threading.Barrier(2), []

    def answer(body: Body) -> Script:
        if task_of(body) == "answer":
            early.extend(tasks(endpoint.requests))
        elif task_of(body) in ("followups", "blurb"):
            together.wait(LONG_S)  # breaks, and the request with it, where one is asked for after the other
        return sensible(body)

    endpoint.answer = answer
    turn = ask(assistant, STORAGE, experiences=("followups", "blurb"))
    assert early == ["answer"]
    assert turn.followups
    assert turn.blurb is not None
    assert turn.degraded is None


@pytest.mark.parametrize("name", ALL)
def test_one_that_fails_costs_neither_the_answer_nor_the_others(
    name: str, assistant: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda body: Script(status=500) if task_of(body) == name else sensible(body)
    without = ask(assistant, STORAGE)
    turn = ask(assistant, STORAGE, experiences=ALL)
    assert (turn.answer, turn.answered_by) == (without.answer, "llm")
    assert turn.degraded == f"{name}: status 500"
    given = {"followups": turn.followups, "blurb": turn.blurb, "judge": turn.judgement}
    assert [one for one in ALL if given[one]] == [one for one in ALL if one != name]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("text", ["", "{", "The Aurora X2 flies to the moon.", "Is it made of unobtainium?"])
def test_what_cannot_be_used_of_it_is_left_out(text: str, name: str, assistant: Assistant, endpoint: LlmServer) -> None:
    endpoint.answer = lambda body: Script(text or " ") if task_of(body) == name else sensible(body)
    turn = ask(assistant, STORAGE, experiences=[name])
    assert (turn.answered_by, turn.blurb, turn.judgement) == ("llm", None, None)
    assert turn.followups == ask(assistant, STORAGE).followups


@pytest.mark.parametrize("fault", [Fault.RESET_BEFORE, Fault.EMPTY, Fault.WRONG_TYPE])
def test_asking_for_them_while_the_model_is_down_does_no_harm(
    fault: Fault, assistant: Assistant, local: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda _: Script("", fault)
    turn = ask(assistant, STORAGE, experiences=ALL)
    assert shown(turn) == shown(ask(local, STORAGE, experiences=ALL))
    assert tasks(endpoint.requests) == ["answer"]


def test_they_are_kept_where_the_model_abstains_and_the_search_goes_wider(
    assistant: Assistant, endpoint: LlmServer
) -> None:
    endpoint.answer = lambda body: Script("outcome: no_answer") if task_of(body) == "answer" else sensible(body)
    turn = ask(assistant, "Does the Aurora X2 come with a stylus?", experiences=("followups",))
    assert (turn.outcome, turn.widened != []) == ("no_answer", True)
    assert turn.followups
    assert turn.usage.llm_calls == 2


def test_without_a_model_they_are_passed_over(local: Assistant) -> None:
    assert local.experiences == []
    assert ask(local, STORAGE, experiences=ALL).blurb is None
