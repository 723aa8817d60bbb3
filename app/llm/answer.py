"""What an endpoint answers, and why it may be of no use."""

from collections.abc import Mapping
from http import HTTPStatus

import httpx2
import openai
from langchain_core.messages import AIMessageChunk

from app.llm.breaker import UnusableRequestError
from graph.llm.model import LanguageModelError
from graph.turn import Usage

BROKEN = "the connection broke"
REFUSALS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY})
"""Statuses that mean the request; all others mean the endpoint."""
_TOO_LONG = ("context length", "context window", "context_length", "too long")


def as_model_error(error: Exception, model: str, connect_s: float) -> LanguageModelError:
    """Put a failure into words that hold neither address nor secret nor anything the endpoint wrote.

    Args:
        error: What was raised.
        model: Who was asked.
        connect_s: Seconds there were to connect.
    """
    if isinstance(error, LanguageModelError):
        return error
    if isinstance(error, openai.APIStatusError):
        reason = _status_reason(error, model)
        return UnusableRequestError(reason) if is_refusal(error) else LanguageModelError(reason)
    if isinstance(error, openai.APITimeoutError | httpx2.ConnectTimeout):
        # Connecting alone has a limit of the transport's; the other limits are the client's own.
        return LanguageModelError(f"no connection within {connect_s:g} s")
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return LanguageModelError("no connection" if _never_connected(error) else BROKEN)
    if type(error) is openai.APIError:
        reason = "the endpoint reported an error"
        return UnusableRequestError(reason) if is_refusal(error) else LanguageModelError(reason)
    return LanguageModelError("an answer that cannot be read")


def is_refusal(error: openai.APIError) -> bool:
    """Whether an endpoint says that it is the request's fault; vLLM says so of a broken grammar inside the stream."""
    status = error.status_code if isinstance(error, openai.APIStatusError) else error.code
    return str(status) in {str(refusal.value) for refusal in REFUSALS}


def _status_reason(error: openai.APIStatusError, model: str) -> str:
    status, said = error.status_code, str(error.message)
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return "the endpoint refused the key"
    if status == HTTPStatus.NOT_FOUND and model in said:
        return f"model {model} is not served"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "too many requests"
    if status in REFUSALS and any(words in said.casefold() for words in _TOO_LONG):
        return "the prompt is longer than the model can read"
    return f"{'a redirect, ' if error.response.is_redirect else ''}status {status}"


def _never_connected(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, httpx2.ConnectError):
            return True
        error = error.__cause__
    return False


CUT_OFF = "cut off"
"""The reason where an answer came to its limit."""


class IncomingAnswer:
    """What came so far.

    Attributes:
        calls: Requests made for it.
        begun: Whether any text came.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.begun = False
        self._empty = True
        self._ending: str | None = None
        self._tokens: Mapping[str, object] = {}
        self._cached: object = 0

    def take(self, chunk: AIMessageChunk) -> str:
        """Take in a chunk; returns its text."""
        text = str(chunk.text)
        self._ending = chunk.response_metadata.get("finish_reason") or self._ending
        if chunk.usage_metadata:
            # Servers that tell it more than once tell the whole so far each time.
            self._tokens = chunk.usage_metadata
            self._cached = chunk.usage_metadata.get("input_token_details", {}).get("cache_read")
        self.begun |= bool(text)
        self._empty &= not text.strip()
        return text

    def check_complete(self) -> None:
        """Judge what came once nothing more comes.

        Raises:
            LanguageModelError: It broke off, was cut off or withheld, or is empty.
        """
        if self._ending in (None, "abort", "error"):
            raise LanguageModelError(BROKEN)
        if self._ending == "length":
            raise UnusableRequestError(CUT_OFF)
        if self._ending == "content_filter":
            reason = "the endpoint withheld the answer"
            raise UnusableRequestError(reason)
        if self._empty:
            reason = "an empty answer"
            raise LanguageModelError(reason)

    @property
    def usage(self) -> Usage:
        """What it cost, as far as the server says."""
        prompt = _count(self._tokens.get("input_tokens"))
        return Usage(
            llm_calls=self.calls,
            prompt_tokens=prompt,
            cached_tokens=min(_count(self._cached), prompt),
            completion_tokens=_count(self._tokens.get("output_tokens")),
        )


def _count(value: object) -> int:
    return max(value, 0) if isinstance(value, int) else 0
