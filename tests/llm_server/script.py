"""What the scripted server says to one request, faults included."""

import re
from dataclasses import dataclass
from enum import StrEnum

WORD_PIECE = re.compile(r"\w{1,6}|[^\w\s]|\s+")
"""What counts as a token here: up to six letters of a word, one sign, or a run of white space."""


class Fault(StrEnum):
    """How an answer goes wrong; midway is after half of its tokens."""

    MALFORMED_JSON = "an event in mid-answer is broken JSON"
    WRONG_SHAPE = "an event in mid-answer is JSON of another kind"
    MALFORMED_SSE = "lines that are no events"
    ERROR_EVENT = "an event in mid-answer reports an error, as vLLM does"
    REFUSED_IN_STREAM = "the first event reports a bad request, as vLLM does for a broken grammar"
    WHITE_SPACE = "white space up to max_tokens"
    LENGTH = "the answer is cut at its middle, with finish_reason length"
    FILTERED = "the answer is cut at its middle, with finish_reason content_filter"
    RESET_BEFORE = "the connection is reset before the headers"
    RESET_MIDWAY = "the connection is reset in mid-answer"
    TRUNCATED = "the stream ends in mid-answer, without finish_reason"
    DRIP = "the headers come at once, then comment lines, byte by byte"
    DRIPPING_HEADERS = "the headers come byte by byte"
    SILENT_BEFORE = "nothing comes, not even headers"
    SILENT_AFTER_HEADERS = "headers come, and nothing else"
    STALL = "half of the answer comes, and nothing else"
    EMPTY = "an answer without text"
    HUGE = "an answer without end"
    HUGE_EVENT = "one event without end"
    WRONG_TYPE = "a web page, with status 200"
    COMPRESSED = "a compressed answer, though none was asked for"
    NO_USAGE = "the usage is missing"
    ODD_USAGE = "the usage holds what cannot be"


@dataclass(frozen=True, slots=True)
class Script:
    """The answer to one request.

    Attributes:
        text: What is said; split into word pieces where it is streamed.
        fault: What goes wrong; None for nothing.
        status: HTTP status; other than 200, an error with `message` is all that is said.
        message: Of the error.
        retry_after: Seconds, in the header of that name.
        location: Where a redirect leads.
        pause_s: Seconds before each token.
    """

    text: str = ""
    fault: Fault | None = None
    status: int = 200
    message: str = "It cannot be done."
    retry_after: int | None = None
    location: str | None = None
    pause_s: float = 0.0

    @property
    def tokens(self) -> list[str]:
        return WORD_PIECE.findall(self.text)
