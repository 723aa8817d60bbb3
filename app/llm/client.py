"""The client of an OpenAI-compatible endpoint: streamed, limited in time, counted."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import aclosing, suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import Literal, cast

import httpx2
import openai
from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.constants import TAG_NOSTREAM
from pydantic import SecretStr

from app.event_loop import LoopThread
from app.llm.answer import IncomingAnswer, as_model_error, is_refusal
from app.llm.options import LlmOptions
from app.llm.special_tokens import SpecialTokens
from graph.language.control_tokens import up_to_control_token, without_tokens
from graph.llm.model import Completion, LanguageModelError, Piece, Request
from graph.turn import Usage
from ingestion.readers.cleaning import clean

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


logger = logging.getLogger(__name__)

NO_KEY = "EMPTY"
"""Sent where no key is set, as vLLM's documentation does: the library would else take one that is meant for another."""

Structure = Literal["grammar", "schema"]
Tell = Callable[[str], None]


class ServedModel:
    """One model of one endpoint; safe to share among threads.

    Args:
        options: Where and how; `base_url` and `model` must be set.
    """

    def __init__(self, options: LlmOptions) -> None:
        self._options, self._name = options, options.model or ""
        self._refused: set[Structure] = set()
        self._loop = LoopThread("served model")
        self._http = open_http(options.connect_s)
        self._special = SpecialTokens(options)
        self._chat = ChatOpenAI(
            model=self._name,
            base_url=options.base_url,
            api_key=options.api_key or SecretStr(NO_KEY),
            temperature=options.temperature,
            timeout=self._http.timeout,
            http_async_client=self._http,
            http_socket_options=(),
            openai_proxy="",
            max_retries=0,
            stream_usage=True,
            stream_chunk_timeout=None,
            use_responses_api=False,
            cache=False,
            # A draft is nothing to show before its sentences are verified.
            tags=[TAG_NOSTREAM],
        )

    @property
    def name(self) -> str:
        """The model that is asked."""
        return self._name

    def complete(self, request: Request) -> Completion:
        """Answer as a whole; streamed nevertheless, so that the limits on a stream hold for it, too.

        Raises:
            LanguageModelError: There was no usable answer in time.
        """
        completion = Completion.of(self.stream(request))
        return replace(completion, text=clean(completion.text))

    def stream(self, request: Request) -> Generator[Piece]:
        """Answer piece by piece; closing the generator ends the request.

        Raises:
            LanguageModelError: As `complete`; what was given before stands.
        """
        texts: SimpleQueue[str | None] = SimpleQueue()
        exchange = self._loop.begin(self._exchange(request, texts.put))
        exchange.add_done_callback(lambda _: texts.put(None))
        ended: list[None] = []

        def told() -> Iterator[str]:
            while (text := texts.get()) is not None:
                yield text
            ended.append(None)

        try:
            yield from map(Piece, up_to_control_token(told(), lambda: self._special.known))
            # What follows a control token is not waited for, nor is what it cost.
            yield Piece(usage=exchange.result() if ended else Usage(llm_calls=1))
        except CancelledError:
            reason = "it was closed"
            raise LanguageModelError(reason) from None
        finally:
            exchange.cancel()

    def close(self) -> None:
        """End all requests and close all connections."""
        self._loop.cancel_all()
        self._loop.run(self._http.aclose())
        self._loop.close()

    async def _exchange(self, request: Request, tell: Tell) -> Usage:
        """Ask within the limits."""
        answer = IncomingAnswer()
        try:
            await self._special.ask()
            await self._ask_in_time(request, answer, tell)
            answer.check_complete()
        except asyncio.CancelledError:
            failure: BaseException = asyncio.CancelledError()
        except Exception as error:  # noqa: BLE001 - whatever the library trips over, the endpoint sent
            told = as_model_error(error, self._name, self._options.connect_s)
            told.usage = answer.usage
            failure = told.with_traceback(None)
        else:
            return answer.usage
        # The library's frames ended with its error: no collector in another thread can close what this one is closing.
        raise failure

    async def _ask_in_time(self, request: Request, answer: IncomingAnswer, tell: Tell) -> None:
        total_s = self._options.total_s
        first_s = min(self._options.first_token_s, total_s)
        end = asyncio.get_running_loop().time() + total_s

        def told(text: str) -> None:
            if limit.when() != end:
                limit.reschedule(end)
            tell(text)

        try:
            # Cancels whatever is going on: a look-up, a handshake, a body that drips.
            async with asyncio.timeout(first_s) as limit:
                await self._ask_as_it_can(request, answer, told)
        except TimeoutError:
            late = f"no whole answer within {total_s:g} s" if answer.begun else f"no answer within {first_s:g} s"
            raise LanguageModelError(late) from None

    async def _ask_as_it_can(self, request: Request, answer: IncomingAnswer, tell: Tell) -> None:
        """Ask; a second time, and plainly, where the endpoint refuses a grammar or a schema."""
        structure = self._structure(request)
        try:
            await self._ask(request, structure, answer, tell)
        except openai.APIError as error:
            plainly = self._options.structured == "auto" and not answer.begun
            if structure is None or not plainly or not is_refusal(error):
                raise
            await self._ask(request, None, answer, tell)
            # Plainly it went well: the structure was what it refused.
            self._refused.add(structure)
            logger.warning("%s refused a %s; it is asked without from now on", self._name, structure)

    async def _ask(self, request: Request, structure: Structure | None, answer: IncomingAnswer, tell: Tell) -> None:
        answer.calls += 1
        prompt = request.prompt
        asked = without_tokens(prompt.shared + prompt.suffix, self._special.known)
        messages = [SystemMessage(prompt.static), HumanMessage(asked)]
        chunks = self._chat.astream(messages, max_tokens=request.max_tokens, extra_body=_held_to(request, structure))
        # An answer that is given up must not be generated on until the garbage collector closes the connection.
        async with aclosing(cast("AsyncGenerator[AIMessageChunk]", chunks)):
            async for chunk in chunks:
                if text := answer.take(chunk):
                    tell(text)

    def _structure(self, request: Request) -> Structure | None:
        asked: Structure | None = "grammar" if request.grammar else "schema" if request.schema else None
        return None if self._options.structured == "off" or asked in self._refused else asked


def _held_to(request: Request, structure: Structure | None) -> Mapping[str, object]:
    """What a request says beyond the library's own parameters; given as one, a schema would change how it streams."""
    if structure == "grammar":
        return {"structured_outputs": {"grammar": request.grammar}}
    if structure == "schema":
        named = {"name": "answer", "schema": request.schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    return {}
