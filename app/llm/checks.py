"""A running server, tried on what a turn needs of it: each finding says what was seen and, if it fails, what to do."""

import json
import secrets
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import httpx

from app.llm.answer import CUT_OFF
from app.llm.breaker import UnusableRequestError
from app.llm.client import ServedModel
from app.llm.options import LlmOptions
from graph.llm.model import LanguageModelError, Prompt, Request
from graph.turn import Usage

Status = Literal["passed", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        name: Of the check.
        status: `unknown` where the endpoint does not tell.
        seen: What came back, in a sentence without its full stop.
        remedy: What to do; empty where nothing is to be done.
    """

    name: str
    status: Status
    seen: str
    remedy: str = ""


STATIC = "You are tested for whether you answer."
LEAST_PIECES = 2
RAN_ON = "the answer runs on up to its limit, as models do that are free to write white space"
SHORT, LONGER = 24, 64
"""Most tokens of an answer; one that is cut off there is no fault where its words are free."""

_REACHED = (
    "Start the server (`footnote vllm` prints the command), and set FOOTNOTE_LLM__BASE_URL, which usually ends in /v1, "
    "FOOTNOTE_LLM__MODEL and FOOTNOTE_LLM__API_KEY as it was started with; its log says more."
)
_VERSION = "It must know structured_outputs, as vLLM does from 0.12 on."
_CONFIG = "Start the server with --structured-outputs-config as `footnote vllm` prints it, without a reasoning parser."
_INSTEAD = "FOOTNOTE_LLM__STRUCTURED=off asks without; answers are then read and checked all the same."


def check_answers(model: ServedModel) -> Finding:
    """Whether answers come, piece by piece."""
    pieces, seen = 0, "nothing came"
    try:
        with closing(model.stream(_request("Name ten fruits.", SHORT))) as stream:
            for piece in stream:
                pieces += bool(piece.text)
    except LanguageModelError as error:
        # With many pieces it was cut off at the limit, which is no fault.
        pieces, seen = pieces if isinstance(error, UnusableRequestError) else 0, error.reason
    if pieces >= LEAST_PIECES:
        return Finding("answers", "passed", "answers come in pieces")
    if pieces:
        remedy = "Look for a proxy before the server that gathers answers up."
        return Finding("answers", "failed", "the whole answer came at once", remedy)
    return Finding("answers", "failed", seen, _REACHED)


def check_grammar(model: ServedModel) -> Finding:
    """Whether a grammar holds an answer: it allows a single one, which nothing else would lead to."""
    word = f"shelf {secrets.token_hex(4)}"
    return _check_held("grammar", model, _request("Say hello.", LONGER, grammar=f'root ::= "{word}"\n'), word)


def check_schema(model: ServedModel) -> Finding:
    """Whether a JSON schema holds an answer; likewise."""
    said = {"shelf": secrets.token_hex(4)}
    schema = {
        "type": "object",
        "properties": {"shelf": {"type": "string", "enum": [said["shelf"]]}},
        "required": ["shelf"],
        "additionalProperties": False,
    }
    return _check_held("schema", model, _request("Say hello.", LONGER, schema=schema), json.dumps(said))


def _check_held(name: str, model: ServedModel, request: Request, only: str) -> Finding:
    """Whether an endpoint says the one thing that it may say, white space left out."""
    try:
        said = model.complete(request).text
    except LanguageModelError as error:
        seen = RAN_ON if error.reason == CUT_OFF else error.reason
    else:
        if "".join(said.split()) == "".join(only.split()):
            return Finding(name, "passed", f"the answer follows the {name}")
        seen = f"the answer does not follow the {name}"
    return Finding(name, "failed", seen, f"{_CONFIG} {_VERSION} {_INSTEAD}")


def _request(asked: str, most: int, grammar: str | None = None, schema: dict[str, object] | None = None) -> Request:
    return Request(Prompt(STATIC, "", asked), most, grammar=grammar, schema=schema)


LINES = 90
"""Of about eleven tokens each."""
FEW_TOKENS = 4


def check_prefix_cache(model: ServedModel) -> Finding:
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
    seen = f"no cached tokens are told for a repeated prompt of {usage.prompt_tokens:,} tokens"
    remedy = "Start the server with --enable-prefix-caching and --enable-prompt-tokens-details."
    if not usage.prompt_tokens:
        seen = "the endpoint does not say what a request costs"
        remedy = "Use a server that tells the usage of a stream (stream_options.include_usage), as vLLM does."
    return Finding("prefix cache", "failed", seen, remedy)


def _usage(model: ServedModel, prompt: Prompt) -> Usage:
    try:
        return model.complete(Request(prompt, FEW_TOKENS)).usage
    except LanguageModelError as error:
        # Cut off at so few tokens, or silent to so dull a prompt: it was read, which is all that is asked here.
        if error.reason != CUT_OFF and not error.usage.prompt_tokens:
            raise
        return error.usage


LISTING_S = 10.0


def check_context(options: LlmOptions, needed: int) -> Finding:
    """Whether the longest prompt fits, as far as the endpoint tells."""
    key = {"Authorization": f"Bearer {options.api_key.get_secret_value()}"} if options.api_key else {}
    try:
        listed = httpx.get(f"{options.base_url}/models", headers=key, timeout=LISTING_S).json()["data"]
        length = int(next(card["max_model_len"] for card in listed if card["id"] == options.model))
    except (httpx.HTTPError, ValueError, LookupError, TypeError, StopIteration):
        seen = f"the endpoint does not say how much it reads; {needed:,} tokens are needed"
        return Finding("context", "unknown", seen)
    seen = f"{length:,} tokens are read, {needed:,} may be needed"
    remedy = (
        f"Start the server with --max-model-len {needed} or more, or give it less to read: "
        "lower FOOTNOTE_GRAPH__EVIDENCE_LIMIT. Longer prompts are refused and answered locally."
    )
    return Finding("context", "failed", seen, remedy) if length < needed else Finding("context", "passed", seen)


FIRST_TOKEN_S, TOTAL_S = 60.0, 90.0
"""A server that has just started compiles on its first request; what is slow is not yet wrong."""


def check_server(options: LlmOptions, needed_context: int) -> Iterator[Finding]:
    """Check a server, one thing after the other; nothing more where it gives no answer.

    Args:
        options: Where it is; `base_url` and `model` must be set.
        needed_context: Tokens that the longest request takes.
    """
    patient = {"structured": "on", "first_token_s": FIRST_TOKEN_S, "total_s": TOTAL_S, "temperature": 0.0}
    with closing(ServedModel(options.model_copy(update=patient))) as model:
        answers = check_answers(model)
        yield answers
        if answers.status == "failed":
            return
        yield check_context(options, needed_context)
        for trial in (check_grammar, check_schema, check_prefix_cache):
            yield trial(model)
