"""One request to a backend: within a time, of a size, tried again where what went wrong may pass."""

import asyncio
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NoReturn

import httpx
from pydantic import JsonValue
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_exponential

LARGEST_ANSWER = 1_000_000
"""Bytes from which on an answer is not read."""
PASSING_STATUSES = frozenset({429, 502, 503, 504})
NO_JSON = "an answer that is no JSON"
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0


class UnansweredError(Exception):
    """A backend gave no usable answer; the message says why in a few words, without address or secret."""


class PassingError(UnansweredError):
    """The same, for a reason that may be gone at the next try."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may take.

    Attributes:
        timeout_s: Seconds for all tries together.
        retries: Tries after the first.
        nothing_known: Statuses that mean an empty answer.
    """

    timeout_s: float
    retries: int
    nothing_known: AbstractSet[int]


async def fetch(client: httpx.AsyncClient, url: str, headers: Mapping[str, str], limits: Limits) -> bytes | None:
    """Ask until there is an answer, the tries are used up, or the time is.

    Returns:
        The body; None where the backend says that it knows nothing.

    Raises:
        UnansweredError: There is no answer to be had.
    """
    tries = AsyncRetrying(
        stop=stop_after_attempt(limits.retries + 1),
        wait=wait_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S),
        retry=retry_if_exception_type(PassingError),
        reraise=True,
    )
    try:
        # Cancels whatever is going on: a look-up, a handshake, a body that drips.
        async with asyncio.timeout(limits.timeout_s):
            return await tries(_try, client, url, headers, limits)
    except TimeoutError:
        message = f"no answer within {limits.timeout_s:g} s"
        raise UnansweredError(message) from None


async def _try(client: httpx.AsyncClient, url: str, headers: Mapping[str, str], limits: Limits) -> bytes | None:
    """Ask once; causes are left out of the errors, as they would show the address."""
    try:
        async with client.stream("GET", url, headers=headers) as response:
            if response.status_code in limits.nothing_known:
                return None
            _refuse_unusable(response)
            return await _body(response)
    except httpx.TransportError as error:
        reason = "no connection" if isinstance(error, httpx.ConnectError) else "the connection broke"
        raise PassingError(reason) from None
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):
        reason = "it cannot be asked"
        raise UnansweredError(reason) from None


def _refuse_unusable(response: httpx.Response) -> None:
    """Judge an answer before its body is read."""
    status = response.status_code
    kind = response.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if not response.is_success:
        reason = f"{'a redirect, ' if response.is_redirect else ''}status {status}"
    elif kind and "json" not in kind and kind != "text/plain":
        reason = NO_JSON
    elif response.headers.get("content-encoding", "identity") != "identity":
        # None was asked for, and a small compressed body can grow without end.
        reason = "a compressed answer"
    else:
        return
    raise PassingError(reason) if status in PASSING_STATUSES else UnansweredError(reason)


async def _body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > LARGEST_ANSWER:
            reason = f"an answer of more than {LARGEST_ANSWER:,} bytes"
            raise UnansweredError(reason)
    return bytes(body)


def read_json(body: bytes) -> JsonValue:
    """Read a body as JSON in one of Unicode's encodings, as the standard (RFC 8259) wants it.

    Raises:
        UnansweredError: It is none.
    """
    try:
        value: JsonValue = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UnansweredError(NO_JSON) from None
    return value


def _refuse_constant(constant: str) -> NoReturn:
    """`NaN` and its like are no JSON, though Python reads them."""
    raise ValueError(constant)
