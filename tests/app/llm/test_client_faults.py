"""Every fault of an endpoint is an error in time, told in a few words without address or secret."""

import logging
import socket

import pytest

from app.llm.answer import BROKEN
from app.llm.breaker import UnusableRequestError
from graph.llm.model import Completion, LanguageModelError
from graph.turn import Usage
from tests.app.llm.asking import KEY, SCHEMA, TEXT, Open, Scripted, failure, request, streamed
from tests.llm_server.script import Fault, Script
from tests.llm_server.server import LlmServer

HASTY, HASTY_ONCE_BEGUN = {"first_token_s": 0.2}, {"total_s": 0.5}
FAULTS: dict[Fault, str] = {
    Fault.MALFORMED_JSON: "an answer that cannot be read",
    Fault.WRONG_SHAPE: "an answer that cannot be read",
    Fault.MALFORMED_SSE: "an answer that cannot be read",
    Fault.ERROR_EVENT: "the endpoint reported an error",
    Fault.REFUSED_IN_STREAM: "the endpoint reported an error",
    Fault.WHITE_SPACE: "cut off",
    Fault.LENGTH: "cut off",
    Fault.FILTERED: "the endpoint withheld the answer",
    Fault.RESET_BEFORE: BROKEN,
    Fault.RESET_MIDWAY: BROKEN,
    Fault.TRUNCATED: BROKEN,
    Fault.DRIP: "no answer within 0.2 s",
    Fault.DRIPPING_HEADERS: "no answer within 0.2 s",
    Fault.SILENT_BEFORE: "no answer within 0.2 s",
    Fault.SILENT_AFTER_HEADERS: "no answer within 0.2 s",
    Fault.STALL: "no whole answer within 0.5 s",
    Fault.EMPTY: "an empty answer",
    Fault.HUGE: "an answer of more than 4,000,000 bytes",
    Fault.HUGE_EVENT: "an answer of more than 4,000,000 bytes",
    Fault.WRONG_TYPE: "an answer that is no stream",
    Fault.COMPRESSED: "a compressed answer",
}
SLOW = {
    **dict.fromkeys((Fault.DRIP, Fault.DRIPPING_HEADERS, Fault.SILENT_BEFORE, Fault.SILENT_AFTER_HEADERS), HASTY),
    Fault.STALL: HASTY_ONCE_BEGUN,
}
HARMLESS = {Fault.NO_USAGE, Fault.ODD_USAGE}


def gives_nothing_away(error: LanguageModelError, llm: LlmServer, logged: str) -> None:
    for hidden in (KEY, llm.url, "127.0.0.1", "10.0.0.7"):
        assert hidden not in f"{error} {error!r}"
    assert KEY not in logged
    assert error.__cause__ is None


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_an_error_in_a_few_words(
    fault: Fault, scripted: Scripted, llm: LlmServer, model: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    scripted.says(Script(TEXT, fault))
    error = failure(model(**SLOW.get(fault, {})))
    assert (error.reason, error.usage.llm_calls) == (FAULTS[fault], 1)
    gives_nothing_away(error, llm, caplog.text)


@pytest.mark.parametrize("fault", [Fault.MALFORMED_JSON, Fault.WHITE_SPACE, Fault.LENGTH, Fault.EMPTY])
@pytest.mark.parametrize("held_to", [{"schema": SCHEMA}, {"grammar": "root ::= ."}], ids=["JSON", "EBNF"])
def test_a_schema_or_a_grammar_changes_nothing_about_it(
    fault: Fault, held_to: dict[str, object], scripted: Scripted, model: Open
) -> None:
    scripted.says(Script(TEXT, fault))
    assert failure(model(), request(**held_to)).reason == FAULTS[fault]


@pytest.mark.parametrize("fault", sorted(HARMLESS, key=lambda fault: fault.name))
def test_an_answer_without_usage_is_one(fault: Fault, scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT, fault))
    assert model().complete(request()) == Completion(TEXT, Usage(llm_calls=1))


def test_every_fault_is_one_or_the_other() -> None:
    assert FAULTS.keys() | HARMLESS == set(Fault)


STATUSES: list[tuple[Script, str]] = [
    (Script(status=400), "status 400"),
    (
        Script(status=400, message="This model's maximum context length is 2048 tokens."),
        "the prompt is longer than the model can read",
    ),
    (Script(status=401), "the endpoint refused the key"),
    (Script(status=404), "status 404"),
    (Script(status=429, retry_after=1), "too many requests"),
    (Script(status=500), "status 500"),
    (Script(status=503, retry_after=1), "status 503"),
    (Script(status=307, location="http://127.0.0.1:9/v1/chat/completions"), "a redirect, status 307"),
]


@pytest.mark.parametrize(("script", "reason"), STATUSES)
def test_an_error_status_is_told_and_not_retried(
    script: Script, reason: str, scripted: Scripted, llm: LlmServer, model: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    scripted.says(script)
    error = failure(model())
    assert error.reason == reason
    assert len(llm.requests) == 1
    gives_nothing_away(error, llm, caplog.text)


def test_a_model_that_is_not_served_is_named(model: Open) -> None:
    assert failure(model(model="other/model")).reason == "model other/model is not served"


@pytest.mark.parametrize("key", [None, "another-s3cret"])
def test_a_wrong_key_is_told(key: str | None, model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert failure(model(api_key=key)).reason == "the endpoint refused the key"


def test_nobody_at_the_address_is_told(llm: LlmServer, model: Open) -> None:
    served = model()
    llm.kill()
    assert failure(served).reason == "no connection"


def test_an_address_that_never_accepts_is_left_after_the_connection_limit(model: Open) -> None:
    with socket.socket() as full, socket.socket() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting.connect(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        assert failure(model(base_url=url, connect_s=0.1)).reason == "no connection within 0.1 s"


@pytest.mark.parametrize("fault", SLOW)
def test_a_slow_answer_is_left_at_the_limit(fault: Fault, scripted: Scripted, llm: LlmServer, model: Open) -> None:
    scripted.says(Script(TEXT, fault))
    failure(model(**SLOW[fault]))
    assert llm.wait_until_left()


def test_an_answer_that_drips_is_left_at_the_limit_and_what_came_stands(scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT, pause_s=0.05))
    text, reason = streamed(model(**HASTY_ONCE_BEGUN))
    assert reason == "no whole answer within 0.5 s"
    assert 0 < len(text) < len(TEXT)


def test_an_answer_that_began_in_time_may_take_longer_than_that(scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT, pause_s=0.02))
    assert streamed(model(first_token_s=0.4)) == (TEXT, "")


@pytest.mark.parametrize("fault", [Fault.LENGTH, Fault.RESET_MIDWAY, Fault.MALFORMED_JSON, Fault.ERROR_EVENT])
def test_what_came_before_a_fault_stands(fault: Fault, scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT, fault))
    text, reason = streamed(model(), request(grammar="root ::= ."))
    assert reason == FAULTS[fault]
    assert text
    assert TEXT.startswith(text)


def test_what_was_cut_off_tells_its_cost(scripted: Scripted, model: Open) -> None:
    scripted.says(Script(TEXT))
    error = failure(model(), request(max_tokens=7))
    assert (error.reason, error.usage.completion_tokens) == ("cut off", 7)
    assert isinstance(error, UnusableRequestError)
