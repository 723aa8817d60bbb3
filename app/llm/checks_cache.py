"""The same long prompt twice: whether it comes from the prefix cache the second time, and the server says so."""

import re
import secrets
from typing import Literal
from urllib.parse import urlsplit

import httpx

from app.llm.answer import CUT_OFF
from app.llm.client import ServedModel
from app.llm.finding import Finding
from app.llm.options import LlmOptions
from graph.llm.model import LanguageModelError, Prompt, Request
from graph.turn import Usage

LINES = 90
"""Of about eleven tokens each."""
FEW_TOKENS = 4
LIMIT_S = 5.0

Caching = Literal["on", "off", "unknown"]

_SETTING = re.compile(r'^vllm:cache_config_info\{.*\benable_prefix_caching="(\w+)"', re.MULTILINE)
_FLAGS = {
    "on": "Start the server with --enable-prompt-tokens-details: its metrics say that prefix caching is on.",
    "off": "Start the server with --enable-prefix-caching: its metrics say that prefix caching is off.",
    "unknown": "Start the server with --enable-prefix-caching and --enable-prompt-tokens-details.",
}


def check_prefix_cache(model: ServedModel, options: LlmOptions) -> Finding:
    """Whether a prompt that was read is not computed again."""
    numbered = "\n".join(f"Line {number} says that shelf {number * 7} is full." for number in range(LINES))
    # Begun as no prompt was before, so that the first time is the first.
    prompt = Prompt(f"Test {secrets.token_hex(8)}.\n{numbered}", "", "Is shelf 7 full?")
    try:
        _usage(model, prompt)
        usage = _usage(model, prompt)
    except LanguageModelError as error:
        return Finding("prefix cache", "failed", error.reason, "Look at the server's log.")
    if usage.cached_tokens:
        share = f"{usage.cached_tokens:,} of {usage.prompt_tokens:,} tokens of a repeated prompt came from the cache"
        return Finding("prefix cache", "passed", share)
    if not usage.prompt_tokens:
        remedy = "Use a server that tells the usage of a stream (stream_options.include_usage), as vLLM does."
        return Finding("prefix cache", "failed", "the endpoint does not say what a request costs", remedy)
    seen = f"no cached tokens are told for a repeated prompt of {usage.prompt_tokens:,} tokens"
    return Finding("prefix cache", "failed", seen, _FLAGS[_caching(options)])


def _usage(model: ServedModel, prompt: Prompt) -> Usage:
    try:
        return model.complete(Request(prompt, FEW_TOKENS)).usage
    except LanguageModelError as error:
        # Cut off at so few tokens, or silent to so dull a prompt: it was read, which is all that is asked here.
        if error.reason != CUT_OFF and not error.usage.prompt_tokens:
            raise
        return error.usage


def _caching(options: LlmOptions) -> Caching:
    """What the server's own metrics say, where they can be read: the key is not sent there."""
    parts = urlsplit(options.base_url or "")
    try:
        answer = httpx.get(f"{parts.scheme}://{parts.netloc}/metrics", timeout=LIMIT_S)
    except httpx.HTTPError:
        return "unknown"
    settings = set(_SETTING.findall(answer.text)) if answer.is_success else set()
    return "unknown" if not settings else "on" if settings == {"True"} else "off"
