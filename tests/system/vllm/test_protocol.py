"""What is relied on from a real vLLM: its protocol through langchain-openai, over random weights."""

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import reduce
from operator import add
from typing import Literal

import httpx
import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, ConfigDict, Field

from graph.llm.turn_prompt import answer_grammar
from tests.system.vllm.server import BLOCK_TOKENS, MODEL_NAME, VllmServer

pytestmark = pytest.mark.system

LONG = "\n".join(f"[e{n}] Boot number {n} weighs {n * 7} g and is made of leather from Portland." for n in range(80))
"""A prompt of some 1,800 tokens."""
ENDLESS = {"ignore_eos": True}
MANY = 4_000
"""Tokens that take the server over 10 s."""
GRAMMAR = r"""root ::= "outcome: " ("clear" | "no_answer") "\n" sentence{1,3}
sentence ::= word{1,8} " [" id "].\n"
word ::= " " [a-zäöüß]{1,9}
id ::= "e1" | "e-2#b"
"""
OBEYED = re.compile(r"outcome: (clear|no_answer)\n(( [a-zäöüß]{1,9}){1,8} \[(e1|e-2#b)\]\.\n){1,3}")

Chat = Callable[..., ChatOpenAI]


class Plan(BaseModel):
    """A bounded shape; xgrammar lets control characters into a string that only `max_length` bounds: invalid JSON."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(pattern=r'^[^\x00-\x1f"\\]{1,60}$')
    searchable: bool
    ids: list[Literal["e1", "e2"]] = Field(max_length=3)


@pytest.fixture
def chat(vllm: VllmServer) -> Chat:
    """Makes a client; what is given overrides a short answer within 30 s.

    With a limit on each chunk, which is the library's default, a stream on Python 3.11 can swallow a cancellation.
    """

    def make(**options: object) -> ChatOpenAI:
        usual = {"max_tokens": 24, "timeout": 30, "max_retries": 0, "stream_usage": True, "stream_chunk_timeout": None}
        return ChatOpenAI(base_url=vllm.base_url, model=MODEL_NAME, api_key="EMPTY", **{**usual, **options})

    return make


def test_a_call_is_answered_and_told_its_cost(chat: Chat) -> None:
    answer = chat(extra_body=ENDLESS).invoke("How heavy is the boot?")
    assert answer.text
    assert answer.response_metadata["finish_reason"] == "length"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["output_tokens"] == 24
    assert answer.usage_metadata["input_tokens"] > 5


def test_a_stream_tells_why_it_ended_and_what_it_cost(chat: Chat) -> None:
    chunks = list(chat(extra_body=ENDLESS).stream("How heavy is the boot?"))
    assert len([chunk for chunk in chunks if chunk.text]) > 5
    whole = _joined(chunks)
    assert whole.response_metadata["finish_reason"] == "length"
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["output_tokens"] == 24


def test_the_same_seed_gives_the_same_words(chat: Chat) -> None:
    first, again, other = (chat(temperature=1, seed=seed).invoke("Boots?").text for seed in (1, 1, 2))
    assert first == again != other


def test_a_grammar_binds_random_weights(chat: Chat) -> None:
    for seed in range(8):
        bound = chat(temperature=1, seed=seed, max_tokens=400, extra_body=_held_to(GRAMMAR))
        answer = bound.invoke("Boots?") if seed % 2 else _joined(bound.stream("Boots?"))
        assert answer.response_metadata["finish_reason"] == "stop"
        assert OBEYED.fullmatch(answer.text), answer.text


def test_the_grammar_of_a_cited_answer_lets_no_other_id_through(chat: Chat) -> None:
    ids = [f"fact:boot-{n}#{n * 37:04x}" for n in range(40)]
    for seed in range(4):
        answer = chat(temperature=1, seed=seed, max_tokens=300, extra_body=_held_to(answer_grammar(ids))).invoke(LONG)
        assert answer.text.startswith("outcome: ")
        closed = re.findall(r"\[([^\]]*)\]", answer.text)
        assert set(closed) <= set(ids), answer.text


def test_a_grammar_that_cannot_be_read_is_refused_and_the_server_goes_on(chat: Chat) -> None:
    with pytest.raises(openai.APIStatusError):
        chat(extra_body=_held_to("root ::= [[[")).invoke("Boots?")
    assert chat().invoke("Boots?").text


def test_a_schema_binds_random_weights(chat: Chat) -> None:
    for seed in range(4):
        model = chat(temperature=1, seed=seed, max_tokens=400).with_structured_output(Plan, include_raw=True)
        answer = model.invoke("Boots?")
        assert isinstance(answer["parsed"], Plan), answer


def test_a_shared_prefix_is_computed_once(chat: Chat, vllm: VllmServer) -> None:
    prefix = "Only here.\n" + LONG
    first = _usage(chat(max_tokens=1).invoke([("system", prefix), ("user", "How heavy is it?")]))
    hits = vllm.metric("vllm:prefix_cache_hits_total")
    second = _usage(chat(max_tokens=1).invoke([("system", prefix), ("user", "What is it made of?")]))
    third = _usage(_joined(chat(max_tokens=1).stream([("system", prefix), ("user", "Where is it from?")])))
    assert first["cached"] == 0
    for later in (second, third):
        assert later["cached"] > later["prompt"] * 0.9
        assert later["cached"] % BLOCK_TOKENS == 0
    assert vllm.metric("vllm:prefix_cache_hits_total") - hits == second["cached"] + third["cached"]


def test_a_prefix_that_differs_in_its_first_word_shares_nothing(chat: Chat) -> None:
    chat(max_tokens=1).invoke([("system", "Once.\n" + LONG), ("user", "Boots?")])
    other = chat(max_tokens=1).invoke([("system", "Twice.\n" + LONG), ("user", "Boots?")])
    assert _usage(other)["cached"] == 0


def test_sixteen_at_once_each_get_their_own_answer(chat: Chat) -> None:
    def ask(n: int) -> str:
        return chat(temperature=1, extra_body=_held_to(f'root ::= "chat {n}:" [a-z ]{{20,40}}')).invoke("Boots?").text

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, range(16)))
    assert all(answer.startswith(f"chat {n}:") for n, answer in enumerate(answers))


def test_a_stream_that_is_closed_frees_the_server(chat: Chat, vllm: VllmServer) -> None:
    with closing(chat(max_tokens=MANY, extra_body=ENDLESS).stream("Boots?")) as stream:
        next(stream)
        assert vllm.metric("vllm:num_requests_running") == 1
    _wait_until_idle(vllm)


def test_a_limit_on_the_whole_ends_a_stream_and_frees_the_server(chat: Chat, vllm: VllmServer) -> None:
    async def read() -> None:
        async for _ in chat(max_tokens=MANY, extra_body=ENDLESS).astream("Boots?"):
            pass

    async def in_time() -> None:
        async with asyncio.timeout(0.5):
            await read()

    with pytest.raises(TimeoutError):
        asyncio.run(in_time())
    _wait_until_idle(vllm)


def test_what_does_not_fit_is_refused_with_the_reason(chat: Chat) -> None:
    with pytest.raises(openai.BadRequestError, match="maximum context length"):
        chat().invoke("boots " * 20_000)
    with pytest.raises(openai.NotFoundError, match="does not exist"):
        chat().bind(model="other").invoke("Boots?")


def test_the_server_tells_its_version_model_and_whether_it_caches(vllm: VllmServer) -> None:
    assert re.match(r"\d+\.\d+", httpx.get(f"{vllm.root_url}/version").json()["version"])
    served = httpx.get(f"{vllm.base_url}/models").json()["data"]
    assert [(model["id"], model["max_model_len"]) for model in served] == [(MODEL_NAME, 16_384)]
    assert vllm.metric("vllm:cache_config_info", enable_prefix_caching="True") == 1


def test_a_server_that_hangs_is_left_within_the_limit(chat: Chat, vllm: VllmServer) -> None:
    stream = chat(max_tokens=MANY, timeout=1).stream("Boots?")
    next(stream)
    vllm.pause()
    try:
        with pytest.raises(openai.APITimeoutError):
            list(stream)
    finally:
        vllm.resume()
    assert chat().invoke("Boots?").text


def test_a_server_killed_in_mid_answer_is_noticed_and_works_after_a_restart(chat: Chat, vllm: VllmServer) -> None:
    chat(max_tokens=1).invoke(LONG)
    stream = chat(max_tokens=MANY, extra_body=ENDLESS).stream("Boots?")
    next(stream)
    vllm.kill()
    with pytest.raises(openai.APIConnectionError):
        list(stream)
    with pytest.raises(openai.APIConnectionError):
        chat().invoke("Boots?")
    vllm.start()
    assert _usage(chat(max_tokens=1).invoke(LONG))["cached"] == 0


def _held_to(grammar: str) -> dict[str, object]:
    return {"structured_outputs": {"grammar": grammar}}


def _joined(chunks: Iterable[AIMessageChunk]) -> AIMessageChunk:
    return reduce(add, chunks)


def _usage(answer: AIMessage) -> dict[str, int]:
    usage = answer.usage_metadata
    assert usage is not None
    return {"prompt": usage["input_tokens"], "cached": usage["input_token_details"]["cache_read"]}


def _wait_until_idle(server: VllmServer) -> None:
    """Well before the answer would have ended by itself."""
    deadline = time.monotonic() + 5
    while server.metric("vllm:num_requests_running"):
        assert time.monotonic() < deadline, "the server still works on what nobody reads"
        time.sleep(0.05)
