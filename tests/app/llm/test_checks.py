"""`footnote vllm --check`: what is wrong with a server is named, with what to do about it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from app.llm.checks import Finding, check_server
from app.llm.options import LlmOptions
from tests.app.llm.asking import KEY, Scripted
from tests.app.llm.obedient import heedless, obedient
from tests.llm_server.script import Fault, Script
from tests.llm_server.server import LlmServer

NEEDED = 4_000
NAMES = ["answers", "context", "grammar", "schema", "prefix cache"]

Check = Callable[..., Mapping[str, Finding]]


@pytest.fixture
def server(llm: LlmServer, scripted: Scripted) -> LlmServer:
    """A server to which nothing is wanting."""
    scripted.answer = obedient
    return llm


@pytest.fixture
def check(server: LlmServer) -> Check:
    def checks(**changes: object) -> Mapping[str, Finding]:
        given = {"base_url": server.url, "model": server.model, "api_key": KEY} | changes
        return {one.name: one for one in check_server(LlmOptions.model_validate(given), NEEDED)}

    return checks


def failures(found: Mapping[str, Finding]) -> list[str]:
    return [name for name, finding in found.items() if finding.status == "failed"]


def test_a_server_to_which_nothing_is_wanting_passes_every_check(check: Check) -> None:
    found = check()
    assert list(found) == NAMES
    assert {finding.status for finding in found.values()} == {"passed"}
    assert all(not finding.remedy for finding in found.values())


def test_a_server_that_is_down_is_all_that_is_said(check: Check, server: LlmServer) -> None:
    server.kill()
    found = check()
    assert list(found) == failures(found) == ["answers"]
    assert "no connection" in found["answers"].seen
    assert "footnote vllm" in found["answers"].remedy


@pytest.mark.parametrize("key", [None, "another-key"])
def test_a_key_that_is_refused_is_named_and_never_shown(check: Check, key: str | None) -> None:
    found = check(api_key=key)
    assert list(found) == failures(found) == ["answers"]
    assert "refused the key" in found["answers"].seen
    assert "FOOTNOTE_LLM__API_KEY" in found["answers"].remedy
    assert "another-key" not in str(found)


def test_a_model_that_is_not_served_is_told(check: Check) -> None:
    found = check(model="another")
    assert failures(found) == ["answers"]
    assert "another is not served" in found["answers"].seen


def test_an_address_without_the_protocol_is_told(check: Check, server: LlmServer) -> None:
    found = check(base_url=server.url.removesuffix("/v1"), api_key=KEY)
    assert failures(found) == ["answers"]
    assert "/v1" in found["answers"].remedy


def test_a_short_context_is_told_with_the_flag_and_the_rest_is_checked(check: Check, server: LlmServer) -> None:
    server.length = NEEDED - 1
    found = check()
    assert failures(found) == ["context"]
    assert f"--max-model-len {NEEDED}" in found["context"].remedy
    assert list(found) == NAMES


def test_an_endpoint_that_does_not_tell_its_context_is_not_blamed(check: Check, server: LlmServer) -> None:
    server.length = None
    found = check()
    assert (found["context"].status, failures(found)) == ("unknown", [])


def test_an_endpoint_that_passes_over_grammar_and_schema_is_told_from_one_that_follows(
    check: Check, scripted: Scripted
) -> None:
    scripted.answer = heedless
    found = check()
    assert failures(found) == ["grammar", "schema"]
    assert "does not follow the grammar" in found["grammar"].seen
    assert "FOOTNOTE_LLM__STRUCTURED=off" in found["grammar"].remedy


def test_an_endpoint_that_refuses_a_grammar_is_not_asked_plainly_instead(check: Check, scripted: Scripted) -> None:
    scripted.answer = lambda body: Script(status=400) if "structured_outputs" in body else obedient(body)
    found = check()
    assert failures(found) == ["grammar"]
    assert "0.12" in found["grammar"].remedy


def test_a_schema_under_which_white_space_runs_on_is_told_from_one_that_is_passed_over(
    check: Check, scripted: Scripted
) -> None:
    fault = {True: Fault.WHITE_SPACE, False: None}
    scripted.answer = lambda body: replace(obedient(body), fault=fault["response_format" in body])
    found = check()
    assert failures(found) == ["schema"]
    assert "white space" in found["schema"].seen
    assert "--structured-outputs-config" in found["schema"].remedy


def test_an_answer_that_is_cut_off_at_its_limit_streams_nevertheless(check: Check, scripted: Scripted) -> None:
    scripted.answer = lambda body: replace(obedient(body), text=obedient(body).text * (40 if len(body) < 6 else 1))
    assert check()["answers"].status == "passed"


@pytest.mark.parametrize("fault", [Fault.WRONG_TYPE, Fault.EMPTY, Fault.RESET_MIDWAY])
def test_a_stream_that_is_none_or_breaks_off_fails(check: Check, scripted: Scripted, fault: Fault) -> None:
    scripted.answer = lambda body: replace(obedient(body), fault=fault)
    assert "answers" in failures(check())


def test_a_server_that_gathers_its_answer_up_does_not_stream(check: Check, scripted: Scripted) -> None:
    scripted.answer = lambda body: obedient(body) if len(body["messages"][-1]["content"]) > 20 else Script("figs")
    found = check()
    assert "at once" in found["answers"].seen


@pytest.mark.parametrize("wanting", ["caching", "details"])
def test_where_no_cached_tokens_are_told_the_flags_are_named(check: Check, server: LlmServer, wanting: str) -> None:
    setattr(server, wanting, False)
    found = check()
    assert failures(found) == ["prefix cache"]
    assert "--enable-prefix-caching and --enable-prompt-tokens-details" in found["prefix cache"].remedy


@pytest.mark.parametrize("fault", [Fault.LENGTH, Fault.EMPTY])
def test_what_is_said_to_a_repeated_prompt_does_not_matter(check: Check, scripted: Scripted, fault: Fault) -> None:
    scripted.answer = lambda body: replace(obedient(body), fault=fault if "shelf 7 full" in str(body) else None)
    assert failures(check()) == []


def test_an_endpoint_that_tells_no_usage_is_told_so(check: Check, scripted: Scripted) -> None:
    scripted.answer = lambda body: replace(obedient(body), fault=Fault.NO_USAGE)
    found = check()
    assert failures(found) == ["prefix cache"]
    assert "what a request costs" in found["prefix cache"].seen
