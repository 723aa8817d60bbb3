"""From a script to bytes: the chat completions protocol, streamed and not, as vLLM speaks it."""

import gzip
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from tests.llm_server.exchange import Exchange
from tests.llm_server.script import Fault, Script

Body = dict[str, Any]
Usage = dict[str, Any]
Counts = tuple[int, int | None]

LONGEST_WAIT_S = 5.0
DRIP_S = 0.01
PAGE = b"<html>Welcome</html>"


def reply(exchange: Exchange, body: Body, script: Script, counts: Counts) -> None:
    """Say what a script says.

    Args:
        exchange: Where to.
        body: What was asked.
        script: What is said.
        counts: The tokens of the prompt, and how many of these were cached; None where that is not told.
    """
    if script.status != HTTPStatus.OK:
        refuse(exchange, script.status, script.message, script)
    elif script.fault in _INSTEAD:
        _INSTEAD[script.fault](exchange)
    elif body.get("stream"):
        _stream(exchange, body, script, counts)
    else:
        _whole(exchange, body, script, counts)


def refuse(exchange: Exchange, status: int, message: str, script: Script | None = None) -> None:
    """An error in the words of vLLM."""
    kind = HTTPStatus(status).phrase.title().replace(" ", "") + "Error"
    error = {"message": message, "type": kind, "param": None, "code": status}
    headers = {}
    if script and script.retry_after is not None:
        headers["Retry-After"] = str(script.retry_after)
    if script and script.location:
        headers["Location"] = script.location
    exchange.say_json({"error": error}, status, headers)


def _whole(exchange: Exchange, body: Body, script: Script, counts: Counts) -> None:
    tokens, ending = _said(body, script)
    exchange.wait(script.pause_s * len(tokens))
    message = {"role": "assistant", "content": "".join(tokens)}
    choice = {"index": 0, "message": message, "finish_reason": ending, "logprobs": None}
    whole = _frame(body, "chat.completion", [choice]) | _usage(script, counts, len(tokens))
    if script.fault is Fault.MALFORMED_JSON:
        exchange.say(json.dumps(whole).encode()[:-9], "application/json")
    elif script.fault is Fault.WRONG_SHAPE:
        exchange.say_json(["an answer"])
    else:
        exchange.say_json(whole)


def _stream(exchange: Exchange, body: Body, script: Script, counts: Counts) -> None:
    tokens, ending = _said(body, script)
    exchange.begin_stream()
    exchange.event(_delta(body, {"role": "assistant", "content": ""}))
    for number, token in enumerate(tokens):
        if number == len(tokens) // 2 and script.fault in _MIDWAY and _MIDWAY[script.fault](exchange):
            return
        exchange.wait(script.pause_s)
        exchange.event(_delta(body, {"content": token}))
    exchange.event(_delta(body, {}, ending))
    if body.get("stream_options", {}).get("include_usage") and script.fault is not Fault.NO_USAGE:
        exchange.event(_frame(body, "chat.completion.chunk", []) | _usage(script, counts, len(tokens)))
    exchange.event("[DONE]")
    exchange.end_stream()


def _said(body: Body, script: Script) -> tuple[list[str], str]:
    """The tokens of an answer and its finish_reason."""
    most = body.get("max_completion_tokens") or body.get("max_tokens") or 1024
    tokens = script.tokens
    if script.fault is Fault.EMPTY:
        return [], "stop"
    if script.fault is Fault.WHITE_SPACE:
        return [*tokens[: len(tokens) // 2], *["\n  "] * most][:most], "length"
    if script.fault in (Fault.LENGTH, Fault.FILTERED):
        return tokens[: len(tokens) // 2], "length" if script.fault is Fault.LENGTH else "content_filter"
    return tokens[:most], "stop" if len(tokens) <= most else "length"


def _frame(body: Body, kind: str, choices: list[Body]) -> Body:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body.get("model"), "choices": choices}


def _delta(body: Body, delta: Mapping[str, str], ending: str | None = None) -> Body:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": ending, "logprobs": None}
    return _frame(body, "chat.completion.chunk", [choice])


def _usage(script: Script, counts: Counts, completion: int) -> Body:
    prompt, cached = counts
    if script.fault is Fault.NO_USAGE:
        return {}
    if script.fault is Fault.ODD_USAGE:
        return {
            "usage": {"prompt_tokens": None, "completion_tokens": -3, "prompt_tokens_details": {"cached_tokens": 9}}
        }
    total = prompt + completion
    usage: Usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total}
    details = None if cached is None else {"cached_tokens": cached}
    return {"usage": usage | {"prompt_tokens_details": details}}


def _drip(exchange: Exchange) -> None:
    exchange.begin_stream()
    for _ in range(round(LONGEST_WAIT_S / DRIP_S)):
        exchange.chunk(b":")
        exchange.wait(DRIP_S)


def _drip_headers(exchange: Exchange) -> None:
    exchange.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    for _ in range(round(LONGEST_WAIT_S / DRIP_S)):
        exchange.write(b"x")
        exchange.wait(DRIP_S)
    exchange.hang_up()


def _be_silent(exchange: Exchange) -> None:
    exchange.wait()
    exchange.hang_up()


def _be_silent_after_headers(exchange: Exchange) -> None:
    exchange.begin_stream()
    _be_silent(exchange)


def _say_lines_that_are_no_events(exchange: Exchange) -> None:
    exchange.begin_stream()
    exchange.chunk(b'{"choices": [{"delta": {"content": "clear"}}]}\n\nevent\n\nclear\r\n\r\n')
    exchange.end_stream()


def _refuse_in_stream(exchange: Exchange) -> None:
    exchange.begin_stream()
    exchange.event({"error": {"message": "Invalid grammar", "type": "BadRequestError", "param": None, "code": 400}})
    exchange.event("[DONE]")
    exchange.end_stream()


def _never_end(exchange: Exchange) -> None:
    exchange.begin_stream()
    for _ in exchange.without_end():
        exchange.event(_delta({}, {"content": "and on " * 2000}))


def _never_end_an_event(exchange: Exchange) -> None:
    exchange.begin_stream()
    exchange.chunk(b'data: {"choices": "')
    for _ in exchange.without_end():
        exchange.chunk(b"x" * 65536)


_INSTEAD: dict[Fault | None, Callable[[Exchange], None]] = {
    Fault.MALFORMED_SSE: _say_lines_that_are_no_events,
    Fault.REFUSED_IN_STREAM: _refuse_in_stream,
    Fault.RESET_BEFORE: Exchange.reset,
    Fault.DRIP: _drip,
    Fault.DRIPPING_HEADERS: _drip_headers,
    Fault.SILENT_BEFORE: _be_silent,
    Fault.SILENT_AFTER_HEADERS: _be_silent_after_headers,
    Fault.HUGE: _never_end,
    Fault.HUGE_EVENT: _never_end_an_event,
    Fault.WRONG_TYPE: lambda exchange: exchange.say(PAGE, "text/html"),
    Fault.COMPRESSED: lambda exchange: exchange.say(
        gzip.compress(b"data: [DONE]\n\n"), "text/event-stream", headers={"Content-Encoding": "gzip"}
    ),
}
"""Faults that take the place of the answer, streamed or not."""


def _ends(step: Callable[[Exchange], None]) -> Callable[[Exchange], bool]:
    def ending(exchange: Exchange) -> bool:
        step(exchange)
        return True

    return ending


def _goes_on(event: object) -> Callable[[Exchange], bool]:
    def passing(exchange: Exchange) -> bool:
        exchange.event(event)
        return False

    return passing


_MIDWAY: dict[Fault | None, Callable[[Exchange], bool]] = {
    Fault.MALFORMED_JSON: _goes_on('{"choices": [{"delta": {"content'),
    Fault.WRONG_SHAPE: _goes_on({"choices": "an answer"}),
    Fault.ERROR_EVENT: _goes_on({"error": {"message": "EngineCore died at 10.0.0.7", "code": 500}}),
    Fault.RESET_MIDWAY: _ends(Exchange.reset),
    Fault.TRUNCATED: _ends(Exchange.end_stream),
    Fault.STALL: _ends(_be_silent),
}
"""Faults in mid-answer; true where nothing follows."""
