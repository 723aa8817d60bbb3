"""The scripted server speaks the protocol, and counts as a server with a prefix cache does."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.llm_server.prefix_cache import BLOCK, PrefixCache
from tests.llm_server.script import Fault, Script
from tests.llm_server.server import Body, LlmServer


def echo(body: Body) -> Script:
    return Script(body["messages"][-1]["content"].partition("?")[2])


@pytest.fixture
def server() -> Iterator[LlmServer]:
    with LlmServer(echo, model="some/model") as running:
        yield running


def ask(server: LlmServer, content: str, **changes: object) -> httpx.Response:
    body = {"model": "some/model", "messages": [{"role": "user", "content": content}]} | changes
    return httpx.post(server.url + "/chat/completions", json=body, timeout=5)


def usage(response: httpx.Response) -> dict[str, Any]:
    told: dict[str, Any] = response.json()["usage"]
    return told


def test_it_tells_which_model_it_serves(server: LlmServer) -> None:
    assert [card["id"] for card in httpx.get(server.url + "/models").json()["data"]] == ["some/model"]


def test_it_answers_as_a_whole_where_no_stream_is_asked_for(server: LlmServer) -> None:
    choice = ask(server, "?It weighs 1.9 kg.").json()["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("It weighs 1.9 kg.", "stop")


def test_it_keeps_to_the_tokens_that_are_asked_for(server: LlmServer) -> None:
    cut = ask(server, "?It weighs 1.9 kg.", max_tokens=3)
    assert (cut.json()["choices"][0]["message"]["content"], usage(cut)["completion_tokens"]) == ("It weighs", 3)
    assert cut.json()["choices"][0]["finish_reason"] == "length"


def test_a_stream_ends_with_its_usage_where_that_is_asked_for(server: LlmServer) -> None:
    events = ask(server, "?clear", stream=True, stream_options={"include_usage": True}).text.split("\n\n")
    assert '"usage": {"prompt_tokens"' in events[-3]
    assert events[-2] == "data: [DONE]"
    assert "usage" not in ask(server, "?clear", stream=True).text


def test_whole_blocks_of_a_shared_prefix_are_cached(server: LlmServer) -> None:
    shared = "The Kestrel 2 weighs 1.9 kg. " * 20
    first, second, other = (
        usage(ask(server, text)) for text in (shared + "Answer?a", shared + "Suggest?b", "x" + shared)
    )
    assert first["prompt_tokens_details"]["cached_tokens"] == 0
    cached = second["prompt_tokens_details"]["cached_tokens"]
    assert cached % BLOCK == 0
    assert second["prompt_tokens"] - 2 * BLOCK < cached < second["prompt_tokens"]
    assert other["prompt_tokens_details"]["cached_tokens"] == 0


def test_the_last_token_of_a_prompt_is_always_computed() -> None:
    cache = PrefixCache()
    messages = [{"role": "user", "content": "! " * (BLOCK - 2)}]
    tokens, _ = cache.count(messages)
    assert tokens == 2 * BLOCK
    assert cache.count(messages) == (tokens, BLOCK)


def test_after_a_restart_it_is_at_the_same_address_with_an_empty_cache(server: LlmServer) -> None:
    shared = "The Kestrel 2 weighs 1.9 kg. " * 20
    ask(server, shared)
    server.kill()
    with pytest.raises(httpx.ConnectError):
        ask(server, shared)
    server.start()
    assert usage(ask(server, shared))["prompt_tokens_details"]["cached_tokens"] == 0


def test_an_error_carries_its_headers(server: LlmServer) -> None:
    server.answer = lambda _: Script(status=429, retry_after=7)
    response = ask(server, "?")
    assert (response.status_code, response.headers["retry-after"]) == (429, "7")


def test_a_broken_whole_answer_is_no_json(server: LlmServer) -> None:
    server.answer = lambda _: Script("clear", Fault.MALFORMED_JSON)
    with pytest.raises(ValueError, match="Unterminated"):
        ask(server, "?").json()
