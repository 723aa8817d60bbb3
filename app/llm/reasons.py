"""Why a served model gave no answer: what the library and the transport raise, in a few words for a turn."""

from http import HTTPStatus

import httpx2
import openai

from app.llm.unusable import UnusableRequestError
from graph.llm.model import LanguageModelError

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
