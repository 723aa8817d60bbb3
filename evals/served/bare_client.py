"""The bare completion call: the openai library and a prompt, nothing before, between or after."""

import time
from dataclasses import dataclass
from typing import Self

import openai
from openai.types.chat import ChatCompletionChunk

from app.errors import InputError
from app.llm.client import NO_KEY
from app.llm.options import LlmOptions
from graph.llm.model import Prompt
from graph.turn import Usage


class BareCallError(InputError):
    """The endpoint does not answer a plain request."""


@dataclass(frozen=True, slots=True)
class BareCall:
    """What came of a call.

    Attributes:
        usage: What it cost.
        ms: Milliseconds until it was whole.
        first_ms: Milliseconds until its first text.
    """

    usage: Usage
    ms: float
    first_ms: float


class BareClient:
    """Sends prompts to an endpoint.

    Args:
        options: Where it is; `base_url` and `model` must be set.
    """

    def __init__(self, options: LlmOptions) -> None:
        key = options.api_key.get_secret_value() if options.api_key else NO_KEY
        self._options = options
        self._client = openai.OpenAI(base_url=options.base_url, api_key=key, timeout=options.total_s, max_retries=0)

    def send(self, prompt: Prompt, max_tokens: int) -> BareCall:
        """Stream an answer to its end.

        Raises:
            BareCallError: There was none.
        """
        begun = time.perf_counter()
        first, usage = None, Usage(llm_calls=1)
        try:
            chunks = self._client.chat.completions.create(
                model=self._options.model or "",
                messages=[
                    {"role": "system", "content": prompt.static},
                    {"role": "user", "content": prompt.shared + prompt.suffix},
                ],
                temperature=self._options.temperature,
                max_tokens=max_tokens,
                stream=True,
                stream_options={"include_usage": True},
            )
            for chunk in chunks:
                first = first or (time.perf_counter() if chunk.choices else None)
                usage = _usage(chunk) or usage
        except openai.APIError as error:
            msg = f"A plain request to the endpoint failed ({type(error).__name__}). Check it with `footnote vllm`."
            raise BareCallError(msg) from error
        end = time.perf_counter()
        return BareCall(usage, (end - begun) * 1000, ((first or end) - begun) * 1000)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()


def _usage(chunk: ChatCompletionChunk) -> Usage | None:
    told = chunk.usage
    if told is None:
        return None
    cached = told.prompt_tokens_details.cached_tokens if told.prompt_tokens_details else None
    return Usage(
        llm_calls=1,
        prompt_tokens=told.prompt_tokens,
        cached_tokens=cached or 0,
        completion_tokens=told.completion_tokens,
    )
