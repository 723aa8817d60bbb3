"""A streamed answer while it comes in: what it says, what it costs, and whether it is one."""

from collections.abc import Mapping

from langchain_core.messages import AIMessageChunk

from app.llm.reasons import BROKEN
from app.llm.unusable import UnusableRequestError
from graph.llm.model import LanguageModelError
from graph.turn import Usage
from ingestion.text_folding import MODEL_OUTPUT_LIMIT, StreamFolding, too_long

CUT_OFF = "cut off"
"""The reason where an answer came to its limit."""
LONGEST_BLANK = 256
"""White space in a row from which on a model is lost in it, as happens under schemas and grammars."""


class IncomingAnswer:
    """What came so far.

    Attributes:
        calls: Requests made for it.
        begun: Whether any text came.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.begun = False
        self._folding = StreamFolding()
        self._blank = 0
        self._empty = True
        self._ending: str | None = None
        self._tokens: Mapping[str, object] = {}
        self._cached: object = 0

    def take(self, chunk: AIMessageChunk) -> str:
        """Take in a chunk.

        Returns:
            Its text, folded.

        Raises:
            LanguageModelError: White space, or an answer, without end.
        """
        text = str(chunk.text)
        folded = self._folding.take(text)
        if self._folding.length > MODEL_OUTPUT_LIMIT:
            reason = f"an answer that {too_long(self._folding.length, MODEL_OUTPUT_LIMIT)}"
            raise LanguageModelError(reason)
        self._ending = chunk.response_metadata.get("finish_reason") or self._ending
        if chunk.usage_metadata:
            # Servers that tell it more than once tell the whole so far each time.
            self._tokens = chunk.usage_metadata
            self._cached = chunk.usage_metadata.get("input_token_details", {}).get("cache_read")
        self.begun |= bool(text)
        if told := text.rstrip():
            self._empty, self._blank = False, 0
        self._blank += len(text) - len(told)
        if self._blank > LONGEST_BLANK:
            reason = "white space without end"
            raise LanguageModelError(reason)
        return folded

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
