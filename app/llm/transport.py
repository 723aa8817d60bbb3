"""The connections to an endpoint: what is no stream of an answer is refused unread, and none is read without end."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress

import httpx2

from graph.llm.model import LanguageModelError

LARGEST_ANSWER = 4_000_000
"""Bytes from which on an answer is not read; a token takes about 250."""
STREAM = "text/event-stream"
IDLE_S = 3.0
"""Seconds an idle connection is kept: less than servers do (uvicorn 5), so that none is used while it closes."""


def open_http(connect_s: float) -> httpx2.AsyncClient:
    """Open a client whose requests have no limit but that on connecting; who asks limits the whole."""
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(None, connect=connect_s),
        limits=httpx2.Limits(keepalive_expiry=IDLE_S),
        # The key is for this endpoint alone.
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [_refuse_unusable]},
    )


async def _refuse_unusable(response: httpx2.Response) -> None:
    kind = response.headers.get("content-type", STREAM).partition(";")[0].strip().casefold()
    if response.is_success and kind != STREAM:
        reason = "an answer that is no stream"
    elif response.headers.get("content-encoding", "identity") != "identity":
        # None was asked for, and a small compressed body can grow without end.
        reason = "a compressed answer"
    else:
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream)
        return
    await response.aclose()
    raise LanguageModelError(reason)


class _Bounded(httpx2.AsyncByteStream):
    """A body up to a size; no async generator, which would have to be closed where a reader stops early."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body
        self._chunks = aiter(body)
        self._read = 0

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        chunk = await anext(self._chunks)
        self._read += len(chunk)
        if self._read > LARGEST_ANSWER:
            reason = f"an answer of more than {LARGEST_ANSWER:,} bytes"
            raise LanguageModelError(reason)
        return chunk

    async def aclose(self) -> None:
        # A library's generator that is left open is closed by the garbage collector, in whatever thread that runs.
        if isinstance(self._chunks, AsyncGenerator):
            with suppress(RuntimeError):
                await self._chunks.aclose()
        await self._body.aclose()
